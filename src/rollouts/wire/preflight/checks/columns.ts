import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../../base/json/value.js";
import { editDistance, findNearest, previewValue } from "../../../../base/text.js";
import type { ColumnKind, RowForm, TrainerFormat } from "../format.js";
import { fault, type PreflightFault } from "../trainer-row.js";

/** What a column of each kind must be, for messages. */
const WANTED: Readonly<Record<ColumnKind, string>> = {
  any: "anything",
  boolean: "true or false",
  conversation: "a list of messages, or text",
  list: "a list",
  messages: "a list of messages",
  number: "a number",
  object: "an object",
  text: "text",
  tools: "a list of definitions, or its JSON text",
};

/** Whether a value is of a kind; messages only as far as their list tells. */
export function isOfKind(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case "any":
      return true;
    case "boolean":
    case "number":
      return typeof value === kind;
    case "text":
      return typeof value === "string";
    case "object":
      return isJsonObject(value);
    case "list":
      return Array.isArray(value);
    case "messages":
      return isMessageList(value);
    case "conversation":
      return typeof value === "string" || isMessageList(value);
    case "tools":
      return Array.isArray(value) || (typeof value === "string" && isListText(value));
  }
}

function isMessageList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && (value.length === 0 || isJsonObject(value[0]));
}

function isListText(text: string): boolean {
  return text === "" || Array.isArray(tryParseJson(text));
}

/** Finds wrong types in the columns of a form, and columns that the trainer does not read although they mean something. */
export function findColumnFaults(
  row: JsonObject,
  { id, isClosed, forms }: TrainerFormat,
  form: RowForm,
  meaningful: ReadonlyMap<string, string>,
): PreflightFault[] {
  const known = columnsOf(form);
  const faults: PreflightFault[] = [];
  for (const [column, kind] of known) {
    const value = row[column];
    const isAbsent = value === undefined || (value === null && column in form.optional);
    if (isAbsent || isOfKind(kind, value)) continue;
    faults.push(describeType(id, column, kind, value));
  }
  for (const column in row) {
    if (known.has(column) || row[column] === null) continue;
    const pointer = `/${toPointerToken(column)}`;
    const meant = findMeant(column, forms);
    const isMisspelt = meant !== "" && row[meant] === undefined;
    const kind = forms.map(({ required }) => required[meant]).find((each) => each !== undefined);
    const isRequired = kind !== undefined && isOfKind(kind, row[column]);
    const hint = isMisspelt ? `: did you mean "${meant}"?` : "";
    if (isClosed) {
      const problem = `${id} rejects a file with the column ${previewValue(column)}`;
      faults.push(fault("ignored-column", "error", pointer, `${problem}${hint || ": remove it"}`));
    } else if (hint !== "") {
      const severity = isRequired ? "error" : "warning";
      faults.push(fault("ignored-column", severity, pointer, `${id} does not read it${hint}`));
    } else if (meaningful.has(column)) {
      const reader = meaningful.get(column);
      const message = `${id} does not read it in a ${form.name}; ${reader} does: remove it, or name that trainer`;
      faults.push(fault("ignored-column", "warning", pointer, message));
    }
  }
  return faults;
}

/** The columns of a form. Every row asks for them. */
function columnsOf(form: RowForm): ReadonlyMap<string, ColumnKind> {
  const known = columns.get(form);
  if (known !== undefined) return known;
  const all = new Map([...Object.entries(form.required), ...Object.entries(form.optional)]);
  columns.set(form, all);
  return all;
}

const columns = new WeakMap<RowForm, ReadonlyMap<string, ColumnKind>>();

/**
 * The column of any form of a trainer that a name is a misspelling of, with at most one wrong letter in four; "" if there is
 * none. A misspelt column may give the row another form.
 */
function findMeant(column: string, forms: readonly RowForm[]): string {
  const known = meanings.get(forms) ?? new Map<string, string>();
  meanings.set(forms, known);
  const found = known.get(column);
  if (found !== undefined) return found;
  const names = forms.flatMap((form) => [...columnsOf(form).keys()]);
  const nearest = findNearest(column.toLowerCase(), names) ?? "";
  const isNear = 4 * editDistance(column.toLowerCase(), nearest) <= column.length;
  const meant = isNear && !names.includes(column) ? nearest : "";
  if (known.size < MAX_MEANINGS) known.set(column, meant);
  return meant;
}

/** Most unknown columns that are remembered for a trainer, so that memory is bounded. */
const MAX_MEANINGS = 1000;

const meanings = new WeakMap<readonly RowForm[], Map<string, string>>();

function describeType(
  id: string,
  column: string,
  kind: ColumnKind,
  value: unknown,
): PreflightFault {
  const cause = `must be ${WANTED[kind]}`;
  const pointer = `/${toPointerToken(column)}`;
  const isNumber = kind === "boolean" && (value === 0 || value === 1);
  if (isNumber && id === "trl-kto") {
    const message = `${cause}, is ${value}: TRL 1.16 takes it for a truth value, but documents true and false only`;
    return fault("column-type", "warning", pointer, message, cause);
  }
  const effect =
    isNumber && id === "llama-factory" ? ": the row is read as one without a label" : "";
  return fault(
    "column-type",
    "error",
    pointer,
    `${cause}, is ${previewValue(value)}${effect}`,
    cause,
  );
}

/** The faults of tokenised rows: lists of other lengths than `input_ids`, and labels that train nothing. */
export function findTokenFaults(row: JsonObject, { optional }: RowForm): PreflightFault[] {
  const ids: readonly unknown[] | undefined = Array.isArray(row.input_ids)
    ? row.input_ids
    : undefined;
  if (ids === undefined) return [];
  const faults: PreflightFault[] = [];
  for (const [column, kind] of Object.entries(optional)) {
    const list = row[column];
    if (kind !== "list" || !Array.isArray(list)) continue;
    if (list.length !== ids.length) {
      const message = `has ${list.length} items for ${ids.length} input_ids`;
      faults.push(fault("loss-mask", "error", `/${column}`, message, "length"));
    } else if (/label|mask/.test(column) && list.every((item) => item === 0 || item === -100)) {
      if (column === "labels" && list.includes(0)) continue;
      faults.push(
        fault("loss-mask", "error", `/${column}`, "masks every token: nothing is learned"),
      );
    }
  }
  return faults;
}
