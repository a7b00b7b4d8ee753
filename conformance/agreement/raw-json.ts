/** Marks raw text until it stands in its place; no record of a fixture holds it. */
const MARK = "\u0000raw:";

const MARKED = /"\\u0000raw:((?:[^"\\]|\\.)*)"/g;

/** A value of a record in memory whose JSON is exactly `text`, as JSON.stringify would not print it. */
export class RawJson {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): string {
    return `${MARK}${this.#text}`;
  }
}

/** A record in memory as JSON text on one line. */
export function toJsonText(record: unknown): string {
  return JSON.stringify(record).replace(MARKED, (_, text: string) => JSON.parse(`"${text}"`));
}
