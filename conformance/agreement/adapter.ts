import type { AdapterVerdict } from "#generated/index.js";
import { EXIT, UserError } from "../../src/base/user-error.js";

/** One of the programs that judge the same records. */
export interface Implementation {
  /** Its name in findings. */
  readonly id: string;
  /** The file that findings about it name, from the repository's root. */
  readonly file: string;
  /** Whether it is code of the generator, which reports the same faults in the same order in every language. */
  readonly isGenerated?: boolean;
  /** Its verdicts, in order. Throws UserError if it gives none on some record. */
  judge(records: readonly Question[]): Promise<readonly AdapterVerdict[]>;
}

/** An implementation as a program that speaks the process protocol of docs/schemas.md. */
export interface Adapter {
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its working folder. Default: that of this process. */
  readonly cwd?: string;
}

/** What an implementation is asked: whether a record is valid as a type. */
export interface Question {
  /** Name of a definition. */
  readonly type: string;
  /** The record's JSON text on one line. The spelling is kept, such as 1.0, 1e400 or an escaped lone surrogate. */
  readonly text: string;
}

/** A record that all implementations judge. */
export interface CorpusRecord extends Question {
  readonly source: RecordSource;
}

/** The origin of a record: a fixture, a schema, or a mutation of a record of these. */
export interface RecordSource {
  /** Path from the repository's root. */
  readonly file: string;
  /** The text of the file. */
  readonly text: string;
  /** What a finding calls the record. */
  readonly origin: string;
  /** JSON Pointer into the file for a pointer into the record. */
  toFile(pointer: string): string;
}

/** A word of a command line: a run of quoted and plain characters. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/gy;
const PART = /"([^"]*)"|'([^']*)'|([^\s"']+)/g;

/**
 * Parses the value of `--adapter "<command>"`. Words are separated by white space, unless it is in single or
 * double quotes. Nothing else is special: no variables, patterns, backslashes or shell.
 *
 * Throws UserError (exit 2) if the command is empty or a quote is not closed.
 */
export function parseAdapterCommand(text: string): Adapter {
  const [command, ...args] = splitWords(text);
  if (command === undefined) throw new UserError("--adapter: the command is empty", EXIT.usage);
  return { id: text.trim(), command, args };
}

function splitWords(text: string): string[] {
  const trimmed = text.trim();
  const words: string[] = [];
  for (let at = 0; at < trimmed.length; ) {
    WORD.lastIndex = at;
    const word = WORD.exec(trimmed)?.[0];
    if (word === undefined) {
      throw new UserError(`--adapter: a quote is not closed in ${text}`, EXIT.usage);
    }
    words.push(
      word.replace(PART, (_, double = "", single = "", plain = "") => double + single + plain),
    );
    at += word.length + (/^\s*/.exec(trimmed.slice(at + word.length))?.[0].length ?? 0);
  }
  return words;
}
