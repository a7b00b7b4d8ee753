import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { type CheckedRow, checkRow, recogniseRow } from "./check-row.js";
import type { TrainerFormat } from "./format.js";
import { formats, isTrainerId, type TrainerId } from "./formats/index.js";

/**
 * The trainers that read a row in a form of theirs, by its structure alone: those that read most of its columns, and that
 * know its roles, if any does. None for a row of plain texts.
 */
export function recogniseTrainers(row: JsonObject): TrainerId[] {
  const found = Object.keys(formats)
    .filter(isTrainerId)
    .map((id) => ({ id, form: recogniseRow(row, formats[id]) }))
    .map(({ id, form }) => ({ id, columns: Object.keys(form?.required ?? {}) }));
  const most = Math.max(...found.map(({ columns }) => columns.length));
  const closest = found.filter(({ columns }) => most > 0 && columns.length === most);
  const knowing = closest.filter(({ id, columns }) => {
    const lists = columns.map((column) => row[column]).filter(Array.isArray);
    return lists.every((messages) => messages.every((message) => knowsRole(message, formats[id])));
  });
  return (knowing.length > 0 ? knowing : closest).map(({ id }) => id);
}

/** Whether a trainer reads the role of a message; true for a value that is none. */
function knowsRole(message: unknown, { style }: TrainerFormat): boolean {
  if (!isJsonObject(message)) return true;
  const key = style.keys.map(([role]) => role).find((role) => role in message);
  if (key === undefined) return !("role" in message || "from" in message);
  return Object.hasOwn(style.roles, String(message[key]));
}

/** Checks a row as each of these trainers reads it; what not all of them find is no fault. */
export function checkShared(row: JsonObject, ids: readonly TrainerId[]): CheckedRow {
  const [first, ...others] = ids.map((id) => checkRow(row, id));
  if (first === undefined) return { faults: [], row: undefined };
  const faults = first.faults.flatMap((fault) => {
    const same = others.map((checked) =>
      checked.faults.find(({ id, pointer }) => id === fault.id && pointer === fault.pointer),
    );
    if (same.includes(undefined)) return [];
    const isError = [fault, ...same].every((each) => each?.severity === "error");
    return [isError ? fault : { ...fault, severity: "warning" as const }];
  });
  return { faults, row: first.row };
}
