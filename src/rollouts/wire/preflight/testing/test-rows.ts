import { expect, test } from "vitest";
import { resolvePointer } from "../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { checkRow } from "../check-row.js";
import type { TrainerId } from "../formats/index.js";

/** A row, for a trainer that rejects it or trains otherwise than meant, and what is found: `id severity pointer`. */
type WrongRow = readonly [string, TrainerId, JsonObject, readonly string[]];

/** `id severity pointer` of each fault of a row. */
export function findFaults(row: JsonObject, id: TrainerId): string[] {
  return checkRow(row, id).faults.map((fault) => `${fault.id} ${fault.severity} ${fault.pointer}`);
}

/** Defines a test for each row. Every pointer must lead to a value of the row. */
export function testRows(rows: readonly WrongRow[]): void {
  test.each(rows)("%s (%s)", (_, id, row, expected) => {
    expect(findFaults(row, id)).toEqual(expected);
    for (const { pointer } of checkRow(row, id).faults) {
      expect(resolvePointer(row, pointer)).toBeDefined();
    }
  });
}
