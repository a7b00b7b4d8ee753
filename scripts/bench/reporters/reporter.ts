import type { Setting } from "../describe-setting.js";
import type { WrittenFile } from "../inputs/write-jsonl.js";
import type { DiskPlan } from "../plan-disk.js";
import type { BenchRow, Measurement } from "../row.js";

/** What a benchmark is made with, known before anything is written. */
export interface Preamble extends Setting {
  readonly branches: number;
  readonly runs: number;
  readonly folder: string;
  readonly disk: DiskPlan;
}

export interface NamedInput extends WrittenFile {
  readonly id: string;
  readonly what: string;
}

export interface RowResult {
  readonly row: BenchRow;
  readonly measurement: Measurement;
}

/** Prints a benchmark: each of these is called once, in this order, `measured` for every result. */
export interface Reporter {
  begin(preamble: Preamble): void;
  inputs(inputs: readonly NamedInput[]): void;
  measured(result: RowResult): void;
  end(results: readonly RowResult[]): void;
}
