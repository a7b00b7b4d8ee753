import type { EntryTypeName } from "#generated/index.js";
import { EXIT, UserError } from "../../src/user-error.js";
import type { Fixture } from "../fixtures/fixture.js";

/** An implementation behind the process protocol of docs/adapters.md. */
export interface Adapter {
  /** How findings call it. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * File that a finding about the adapter itself names, from the repository's root: its own, or of a
   * foreign one the protocol that it breaks.
   */
  readonly file: string;
  /** Into how many processes the records are parted, at least 1; for an implementation that is slow. */
  readonly processes: number;
}

/** One record that all implementations validate. */
export interface CorpusRecord {
  readonly type: EntryTypeName;
  /** Its JSON text on one line, spelled as it shall reach them: 1.0, 1e400, an escaped lone surrogate. */
  readonly text: string;
  readonly source: RecordSource;
}

/** Where a record comes from: a fixture as it is, or a mutation of it. */
export interface RecordSource {
  /** From the repository's root. */
  readonly file: string;
  /** Text of the file. */
  readonly source: string;
  readonly mutated: boolean;
  /** The fixture's place in the file. */
  readonly fixture: Pick<Fixture, "pointer" | "given">;
  /** JSON Pointer of the record in what the fixture holds. */
  readonly pointer: string;
}

/** A word of a command line: runs of quoted and of plain characters. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/gy;
const PART = /"([^"]*)"|'([^']*)'|([^\s"']+)/g;

/** The contract that a foreign adapter breaks when it breaks one. */
const PROTOCOL = "schema/adapter-protocol.schema.json";

/**
 * The adapter that `--adapter "<command>"` names. Words are parted by white space; single and double
 * quotes keep it, and nothing else is special: no variables, no patterns, no backslashes, no shell.
 *
 * Throws UserError (exit 2) when the command is empty or a quote is not closed.
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
