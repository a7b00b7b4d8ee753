import type { RecordFault } from "../../../base/findings/finding.js";
import { guessType } from "../../../base/json/entry-type.js";
import { findUnexportable, MAX_NESTING } from "../../../base/json/unexportable.js";
import { type JsonObject, measureValue } from "../../../base/json/value.js";
import type { SourceLine } from "../../../base/jsonl/blocks.js";
import type { RecordLine } from "../../../base/jsonl/record-line.js";
import { type CheckedRow, checkRow } from "../preflight/check-row.js";
import { formats, type TrainerId } from "../preflight/formats/index.js";
import { checkShared, recogniseTrainers } from "../preflight/recognise-row.js";
import { type FirstPlace, RowShapes } from "../preflight/row-shapes.js";
import type { PreflightFault, TrainerRow } from "../preflight/trainer-row.js";
import { checkLineRules } from "./check-record.js";
import type { RuleSeverities } from "./profiles.js";

/** Finds what only a chat template or a tokenizer tells of a row. */
export type RowAid = (row: TrainerRow) => readonly PreflightFault[];

/** The rows for trainers in a part of a file. Plain data, so that it can be sent to threads. */
export interface TrainerTally {
  /** Number of rows by the trainers that they were read for, joined with commas. */
  readonly counts: ReadonlyMap<string, number>;
  readonly places: readonly FirstPlace[];
}

/** Checks rows of files for trainers. Create one for each part of a file. */
export class TrainerRows {
  readonly #target: TrainerId | undefined;
  readonly #severities: RuleSeverities;
  readonly #aids: readonly RowAid[];
  readonly #counts = new Map<string, number>();
  readonly #shapes = new RowShapes();

  /** `target`: the trainer for which every row is; undefined: rows are recognised, unless they are records. */
  constructor(
    target: TrainerId | undefined,
    severities: RuleSeverities,
    aids: readonly RowAid[] = [],
  ) {
    this.#target = target;
    this.#severities = severities;
    this.#aids = aids;
  }

  /** The faults of a row; undefined if the line is none, or is a record of this format. */
  check(line: RecordLine, { offset }: Pick<SourceLine, "offset">): RecordFault[] | undefined {
    if ("fault" in line || line.validFor !== undefined) return undefined;
    const { value, text } = line;
    const ids = this.#target === undefined ? recognise(value) : [this.#target];
    if (ids.length === 0) return undefined;
    const measure = measureValue(value);
    const tooDeep = measure.depth > MAX_NESTING ? findUnexportable(value, measure) : undefined;
    // The checks of rows recurse, so such a row goes no further.
    if (tooDeep !== undefined) return [{ ...tooDeep, severity: "error" }];
    const { faults, row }: CheckedRow =
      this.#target === undefined ? checkShared(value, ids) : checkRow(value, this.#target);
    this.#shapes.add(value, { line: line.line, offset });
    const names = ids.join(",");
    this.#counts.set(names, (this.#counts.get(names) ?? 0) + 1);
    return [
      ...checkLineRules({ text, measure }, this.#severities),
      ...faults.flatMap((fault) => this.#weigh(fault)),
      ...(row === undefined ? [] : this.#aids.flatMap((aid) => aid(row))),
    ];
  }

  toTally(): TrainerTally {
    return { counts: this.#counts, places: this.#shapes.places };
  }

  /** A semantic rule of the same name says how severe it is. */
  #weigh(fault: PreflightFault): RecordFault[] {
    if (fault.id !== "undeclared-tool") return [fault];
    const severity = this.#severities[fault.id];
    return severity === "off" ? [] : [{ ...fault, severity }];
  }
}

/** A record of this format, or one that says it is of any format, is no row for a trainer. */
function recognise(value: JsonObject): readonly TrainerId[] {
  if ("schema_version" in value || guessType(value)?.isComplete === true) return [];
  return recogniseTrainers(value);
}

/** The rows for trainers in all files of a run. */
export class TrainerReport {
  readonly #counts = new Map<string, number>();
  readonly #shapes = new Map<string, RowShapes>();

  /** Adds a part of a file; parts come in order. */
  add(file: string, { counts, places }: TrainerTally): void {
    for (const [names, count] of counts) {
      this.#counts.set(names, (this.#counts.get(names) ?? 0) + count);
    }
    if (places.length === 0) return;
    const shapes = this.#shapes.get(file) ?? new RowShapes();
    this.#shapes.set(file, shapes);
    shapes.addPlaces(places);
  }

  /** Number of rows by the trainers that they were read for. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** What the rows of each file have not in common, with its file and line. */
  findFaults(): (PreflightFault & { readonly file: string; readonly line: number })[] {
    const infers = [...this.#counts.keys()].flatMap((names) => names.split(","));
    const all = Object.values(formats).filter(({ id }) => infers.includes(id));
    const infersColumns = all.every((format) => format.infersColumns);
    return [...this.#shapes].flatMap(([file, shapes]) =>
      shapes.findFaults(infersColumns).map((fault) => ({ ...fault, file })),
    );
  }
}
