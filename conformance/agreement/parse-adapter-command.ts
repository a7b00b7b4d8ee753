import { EXIT, UserError } from "../../src/user-error.js";
import type { Adapter } from "./adapter.js";

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
