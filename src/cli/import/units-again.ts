import { resolve } from "node:path";
import { isPlainFile } from "../../files/inputs.js";
import { displayName, type InputSource } from "../../files/source.js";
import { blockLines } from "../../jsonl/blocks.js";
import type { StoredLine } from "../rollouts/branch-line.js";
import { LineReader, type RereadableInput } from "../rollouts/line-reader.js";
import type { ImportRow } from "./import-row.js";
import type { JudgedUnit, UnitJudge } from "./judge-unit.js";
import { documentUnit } from "./read-units.js";

/** Reads records once more, for the place of a fault that only showed when all of them were read. */
export class UnitsAgain {
  readonly #inputs: ReadonlyMap<number, RereadableInput>;
  readonly #reader: LineReader;
  readonly #judge: UnitJudge;

  /** `inputs` by their index; the others cannot be read again. */
  constructor(inputs: ReadonlyMap<number, RereadableInput>, judge: UnitJudge) {
    this.#inputs = inputs;
    this.#reader = new LineReader(inputs);
    this.#judge = judge;
  }

  /** Undefined when it cannot be had. Throws UserError (exit 3) when the input has changed. */
  find(row: ImportRow): JudgedUnit | undefined {
    if (!this.#inputs.has(row.input)) return undefined;
    const { file, stored } = this.read(row);
    if (row.isDocument) return this.#judge.judge(documentUnit(row.input, file, stored));
    const [source] = blockLines({ line: row.line, offset: row.offset, bytes: stored });
    return source && this.#judge.judge({ input: row.input, file, source, isDocument: false });
  }

  /** The bytes of a record. Throws as `find` does. */
  read(row: ImportRow): StoredLine {
    return this.#reader.read(row);
  }

  close(): void {
    this.#reader.close();
  }
}

/** The inputs that can be read twice as they are, by their index. */
export async function findRereadable(
  files: readonly string[],
  source: InputSource,
): Promise<ReadonlyMap<number, RereadableInput>> {
  const inputs = new Map<number, RereadableInput>();
  for (const [index, file] of files.entries()) {
    if (!(await isPlainFile(file, source))) continue;
    inputs.set(index, { file: displayName(file), path: resolve(source.cwd, file) });
  }
  return inputs;
}
