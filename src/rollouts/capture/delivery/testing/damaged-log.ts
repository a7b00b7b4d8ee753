import {
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A log on disk that a test damages. */
export class DamagedLog {
  /** The folder of the log. */
  readonly path: string;
  readonly #destination: string;
  /** A folder outside of the spool. */
  readonly outside: string;

  constructor(destination: string, outside: string) {
    this.#destination = destination;
    this.outside = outside;
    const name = readdirSync(destination).find((each) => /^[a-z0-9]+-/.test(each)) ?? "";
    this.path = join(destination, name);
  }

  segment(number: number): string {
    return join(this.path, `0000000${number}.jsonl`);
  }

  get note(): string {
    return join(this.path, "done");
  }

  get owner(): string {
    return join(this.#destination, "owners", this.path.split(".").at(-1) ?? "");
  }

  /** A segment of the log `killed`. */
  otherSegment(number: number): string {
    const other = new DamagedLog(join(this.outside, "..", "..", "killed", "test"), this.outside);
    return other.segment(number);
  }

  /** Rewrites a file as Latin-1, in which each byte is a character. */
  edit(path: string, change: (text: string) => string): void {
    writeFileSync(path, change(readFileSync(path, "latin1")), "latin1");
  }

  /** Rewrites the lines of a segment; the header is the first. */
  editLines(number: number, change: (lines: string[]) => string[]): void {
    const text = readFileSync(this.segment(number), "utf8");
    const lines = change(text.trimEnd().split("\n"));
    writeFileSync(this.segment(number), lines.map((line) => `${line}\n`).join(""));
  }

  /** Rewrites one line of a segment. */
  editLine(number: number, index: number, change: (line: string) => string): void {
    this.editLines(number, (lines) => {
      return lines.map((line, at) => (at === index ? change(line) : line));
    });
  }

  /** Cuts a segment so many bytes after the start of its line. */
  cut(number: number, line: number, bytes: number): void {
    const lines = readFileSync(this.segment(number), "utf8").split("\n");
    const start = lines.slice(0, line).reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
    truncateSync(this.segment(number), start + bytes);
  }
}

/** What the next process makes of a damaged log of 70 records in 7 segments, with batches of 4, 4 and 2. */
export interface Damage {
  readonly name: string;
  /**
   * `closed`: the process ended in good order; nothing had arrived. `killed`: the same, by SIGKILL. `half`: 24 had
   * arrived and were noted; segments 1 and 2 are removed.
   */
  readonly log: "closed" | "killed" | "half";
  readonly damage: (log: DamagedLog) => void;
  readonly delivered: number;
  /** Records in damaged lines, which are in the file of dead letters. */
  readonly rejected?: number;
  /** Records that are counted as missing. */
  readonly dropped?: number;
  /** Records that are sent although they had arrived: under the same keys. */
  readonly again?: number;
  /** Lost records that no process can know of. */
  readonly unknown?: number;
  /** Records that stay on disk, until a person repairs what cannot be read. */
  readonly left?: number;
  /** What the log of messages says; by default nothing but what the counts need. */
  readonly says?: RegExp;
}

export const flip = (text: string, index: number): string =>
  `${text.slice(0, index)}${String.fromCharCode(text.charCodeAt(index) ^ 1)}${text.slice(index + 1)}`;

export const zero = (text: string, start: number, end = text.length): string =>
  `${text.slice(0, start)}${"\0".repeat(end - start)}${text.slice(end)}`;

export const swap = (one: string, other: string): void => {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
};

export const makeOld = (path: string): void => {
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(path, old, old);
};
