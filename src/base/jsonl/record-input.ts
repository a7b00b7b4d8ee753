/** A Web stream, in any runtime. */
interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | string | undefined }>;
    cancel(): Promise<void>;
  };
}

/** A stream of bytes or text, or a Blob or a Response, which have one. */
type RecordStream =
  | AsyncIterable<Uint8Array | string>
  | WebStream
  | { readonly body: WebStream | null }
  | { stream(): WebStream };

/**
 * What records are read from: the path or the URL of a file, or paths of several, which may be folders and patterns, where
 * `-` is standard input; or a Blob, a Response, or a stream of bytes or text.
 */
export type RecordInput = string | URL | readonly string[] | RecordStream;

/** The chunks of a stream; undefined for any other input. */
export function toChunks(input: RecordInput): AsyncIterable<Uint8Array | string> | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  if (Symbol.asyncIterator in input) return input;
  if ("getReader" in input) return readStream(input);
  if ("body" in input) return readStream(input.body);
  return "stream" in input ? readStream(input.stream()) : undefined;
}

/** The chunks of a Web stream: not every browser can iterate over it. */
async function* readStream(stream: WebStream | null): AsyncGenerator<Uint8Array | string> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
