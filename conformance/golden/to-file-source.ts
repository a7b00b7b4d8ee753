import type { InputSource } from "../../src/files/source.js";

/** Files below `root`, and a standard input that holds nothing. */
export function toFileSource(root: string): InputSource {
  return { stdin: nothing(), cwd: root };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
