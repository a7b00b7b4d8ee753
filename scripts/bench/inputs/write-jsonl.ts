import { closeSync, openSync, writeSync } from "node:fs";

export interface WrittenFile {
  readonly records: number;
  readonly bytes: number;
}

/** Characters that are collected before they are written. */
const CHUNK = 1 << 20;

/** Writes records of any number as JSON Lines. */
export function writeJsonl(path: string, records: Iterable<object>): WrittenFile {
  const file = openSync(path, "wx");
  let [count, bytes, text] = [0, 0, ""];
  const flush = (): void => {
    bytes += writeSync(file, text);
    text = "";
  };
  try {
    for (const record of records) {
      text += `${JSON.stringify(record)}\n`;
      count += 1;
      if (text.length >= CHUNK) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
  return { records: count, bytes };
}
