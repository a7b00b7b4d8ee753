import {
  type DefinitionName,
  type DpoRecord,
  explainReason,
  findErrors,
  groupByRollout,
  isRolloutBranchRecord,
  toDpoRecord,
} from "rollout-wire";
import { selectPair } from "rollout-wire/export";

/** What is wrong with a record, and where. */
export interface Fault {
  /** Such as `line 2`. */
  readonly place: string;
  /** JSON Pointer of the wrong value; undefined if the text is not JSON. */
  readonly pointer?: string;
  readonly message: string;
}

/** The DPO record of a rollout, or why it has none. */
export interface RolloutPair {
  readonly rolloutId: string;
  readonly record: DpoRecord | null;
  readonly reason: string;
}

export interface CheckedText {
  readonly records: number;
  /** Number of records without a fault. */
  readonly valid: number;
  readonly faults: readonly Fault[];
  /** None unless all records are valid ranked branches: without one of its branches, a rollout can give a wrong pair. */
  readonly pairs: readonly RolloutPair[];
}

/** Checks the records in a text: one per line, or one JSON text that is a record or an array of records. */
export function checkText(text: string, type: DefinitionName): CheckedText {
  const records = parseRecords(text);
  const faultsOf = records.map((record) => findFaults(record, type));
  const faults = faultsOf.flat();
  return {
    records: records.length,
    valid: faultsOf.filter(({ length }) => length === 0).length,
    faults,
    pairs: faults.length === 0 ? createPairs(records.map(({ value }) => value)) : [],
  };
}

interface ParsedRecord {
  readonly place: string;
  readonly value?: unknown;
  /** Why the text is not JSON. */
  readonly error?: string;
}

function parseRecords(text: string): ParsedRecord[] {
  const whole = parse("text", text);
  if (whole.error === undefined) {
    const values: unknown[] = Array.isArray(whole.value) ? whole.value : [whole.value];
    return values.map((value, index) => ({ place: `record ${index + 1}`, value }));
  }
  const lines = text
    .split("\n")
    .map((line, index) => ({ line, place: `line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, place }) => parse(place, line));
  // One record over several lines, with a mistake in one of them.
  const isOneText = lines.length > 1 && lines.every(({ error }) => error !== undefined);
  return isOneText ? [whole] : lines;
}

function parse(place: string, text: string): ParsedRecord {
  try {
    return { place, value: JSON.parse(text) };
  } catch (error) {
    return { place, error: error instanceof Error ? error.message : String(error) };
  }
}

function findFaults({ place, value, error }: ParsedRecord, type: DefinitionName): Fault[] {
  if (error !== undefined) return [{ place, message: `not JSON: ${error}` }];
  return findErrors(type, value).map(({ pointer, message }) => ({ place, pointer, message }));
}

function createPairs(values: readonly unknown[]): RolloutPair[] {
  if (!values.every(isRolloutBranchRecord)) return [];
  return [...groupByRollout(values)].map(([rolloutId, branches]) => {
    const { reason } = selectPair(branches);
    return {
      rolloutId,
      record: toDpoRecord(branches),
      reason: reason === undefined ? "" : explainReason(reason),
    };
  });
}
