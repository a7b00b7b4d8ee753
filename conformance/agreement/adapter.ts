import type { EntryTypeName } from "#generated/index.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import type { Fixture } from "../fixtures/fixture.js";

/** An implementation that speaks the process protocol of docs/schemas.md. */
export interface Adapter {
  /** Its name in findings. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The file that findings about the adapter itself name, from the repository's root: the adapter's own file,
   * or for a foreign adapter the protocol.
   */
  readonly file: string;
  /** Number of processes that share the records, at least 1. More than 1 helps a slow implementation. */
  readonly processes: number;
}

/** A record that all implementations validate. */
export interface CorpusRecord {
  readonly type: EntryTypeName;
  /** Its JSON text on one line. The spelling is kept, such as 1.0, 1e400 or an escaped lone surrogate. */
  readonly text: string;
  readonly source: RecordSource;
}

/** The origin of a record: a fixture, or a mutation of it. */
export interface RecordSource {
  /** Path from the repository's root. */
  readonly file: string;
  /** The text of the file. */
  readonly source: string;
  readonly mutated: boolean;
  /** Pointer to the fixture in the file. */
  readonly fixture: Pick<Fixture, "pointer" | "given">;
  /** JSON Pointer to the record in the fixture. */
  readonly pointer: string;
}

/** A word of a command line: a run of quoted and plain characters. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/gy;
const PART = /"([^"]*)"|'([^']*)'|([^\s"']+)/g;

/** The document that describes what a foreign adapter must do. */
const PROTOCOL = "schema/adapter-protocol.schema.json";

/**
 * Parses the value of `--adapter "<command>"`. Words are separated by white space, unless it is in single or
 * double quotes. Nothing else is special: no variables, patterns, backslashes or shell.
 *
 * Throws UserError (exit 2) if the command is empty or a quote is not closed.
 */
export function parseAdapterCommand(text: string): Adapter {
  const [command, ...args] = splitWords(text);
  if (command === undefined) throw new UserError("--adapter: the command is empty", EXIT.usage);
  return { id: text.trim(), command, args, file: PROTOCOL, processes: 1 };
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
