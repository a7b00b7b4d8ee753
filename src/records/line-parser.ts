/** Makes values of JSON texts. */
export interface LineParser {
  /** `bytes` are the text in UTF-8. Throws SyntaxError when the text is not JSON. */
  parse(text: string, bytes: Uint8Array): unknown;
  /** The bytes of a value that is part of what was parsed; undefined when they are not known. */
  bytesOf(value: object): Uint8Array | undefined;
  /** Lets go of a record that was parsed. */
  forget(record: object): void;
}

export const plainParser: LineParser = {
  parse: (text) => JSON.parse(text),
  bytesOf: () => undefined,
  forget() {},
};
