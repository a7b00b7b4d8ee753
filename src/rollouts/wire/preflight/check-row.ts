import type { JsonObject } from "../../../base/json/value.js";
import { findNullFaults, findPairFaults, findToolFaults } from "./checks/calls.js";
import { findColumnFaults, findTokenFaults, isOfKind } from "./checks/columns.js";
import { findMaskFaults } from "./checks/masks.js";
import { findOrderFaults } from "./checks/order.js";
import { findSideFaults } from "./checks/sides.js";
import type { RowForm, TrainerFormat } from "./format.js";
import { formats, type TrainerId } from "./formats/index.js";
import { RowReader } from "./row-reader.js";
import {
  fault,
  type PreflightFault,
  type RowMessage,
  type RowPart,
  type TrainerRow,
} from "./trainer-row.js";

/** What is found in a row, and the row as its trainer reads it; undefined if it cannot. */
export interface CheckedRow {
  readonly faults: readonly PreflightFault[];
  readonly row: TrainerRow | undefined;
}

/** Checks a row as a trainer reads it. */
export function checkRow(value: JsonObject, id: TrainerId): CheckedRow {
  const format = formats[id];
  const form = chooseForm(value, format);
  const missing = Object.keys(form.required).filter((column) => value[column] == null);
  const columns = findColumnFaults(value, format, form, meaningfulElsewhere(id));
  if (missing.length > 0)
    return { faults: describeMissing(value, id, form, missing), row: undefined };
  const mixed = findMixedFaults(value, form);
  if (mixed.length > 0) return { faults: [...columns, ...mixed], row: undefined };
  // What is no list of messages, or no text, has its fault already.
  if (columns.some(({ id, severity }) => id === "column-type" && severity === "error")) {
    return { faults: columns, row: undefined };
  }
  const reader = new RowReader(format, value);
  const row = { value, ...form.read(value, reader) };
  return {
    faults: [
      ...columns,
      ...reader.faults,
      ...findConversationFaults(row, format),
      ...findTokenFaults(value, form),
    ],
    row,
  };
}

function findConversationFaults(row: TrainerRow, { id, style }: TrainerFormat): PreflightFault[] {
  const { tools, sides } = row;
  const prompt = row.prompt?.messages ?? [];
  const learned = sides.flatMap(({ messages = [] }) => messages);
  const all = [...prompt, ...learned];
  // The prompt is read once before each side.
  const whole =
    sides.length === 0 ? [prompt] : sides.map(({ messages = [] }) => [...prompt, ...messages]);
  const turns = [...findOrderFaults(row, style), ...withoutRepeats(whole.flatMap(findPairFaults))];
  return [
    ...(row.isObserved ? turns.map((each) => ({ ...each, severity: "warning" as const })) : turns),
    ...findToolFaults(tools, all),
    ...findSideFaults(sides),
    ...findMaskFaults(row, all, style, id),
    ...findNullFaults(tools, all, style),
  ];
}

function withoutRepeats(faults: readonly PreflightFault[]): PreflightFault[] {
  return faults.filter(
    ({ id, pointer }, at) =>
      faults.findIndex((other) => other.id === id && other.pointer === pointer) === at,
  );
}

/** The form whose required columns a row has; otherwise the one that lacks the fewest. */
function chooseForm(row: JsonObject, { forms }: TrainerFormat): RowForm {
  const lacks = ({ required }: RowForm): number =>
    Object.keys(required).filter((column) => row[column] === undefined).length;
  const share = (form: RowForm): number => lacks(form) / Object.keys(form.required).length;
  const [first, ...others] = forms;
  if (first === undefined) throw new RangeError("a format without forms");
  return others.reduce((best, form) => (share(form) < share(best) ? form : best), first);
}

/** The form in which a trainer recognises a row. */
export function recogniseRow(row: JsonObject, { forms }: TrainerFormat): RowForm | undefined {
  return forms.find(({ required, recognise }) => {
    const columns = Object.entries(required);
    if (recognise !== undefined && !recognise(row)) return false;
    return columns.every(([column, kind]) => {
      const value = row[column];
      if (kind === "conversation") return Array.isArray(value) && isOfKind(kind, value);
      if (kind === "messages") return isOfKind(kind, value) && value !== undefined;
      return recognise === undefined ? isOfKind(kind, value) : value !== undefined;
    });
  });
}

function describeMissing(
  row: JsonObject,
  id: TrainerId,
  { name, required }: RowForm,
  missing: readonly string[],
): PreflightFault[] {
  const other = Object.values(formats).find((format) => recogniseRow(row, format) !== undefined);
  const isNothing = missing.length === Object.keys(required).length;
  const hint = other === undefined ? "" : `; it looks like a row for ${other.id}`;
  if (isNothing) {
    const forms = formats[id].forms.map((form) => Object.keys(form.required).join(" + "));
    const message = `no row for ${id}, which reads ${[...new Set(forms)].join(", or ")}${hint}`;
    return [fault("missing-column", "error", "", message, "none")];
  }
  const columns = findColumnFaults(row, formats[id], { ...NO_FORM, name, required }, new Map());
  return [
    ...missing.map((column) => {
      const lacks = `lacks "${column}" (a ${name})${hint}`;
      return fault("missing-column", "error", "", lacks, `lacks ${column}`);
    }),
    ...columns,
  ];
}

const NO_FORM: Omit<RowForm, "name" | "required"> = { optional: {}, read: () => ({ sides: [] }) };

/** In one row, all conversations must be messages, or all text. */
function findMixedFaults(row: JsonObject, { required }: RowForm): PreflightFault[] {
  const columns = Object.entries(required)
    .filter(([, kind]) => kind === "conversation")
    .map(([column]) => column);
  const texts = columns.filter((column) => typeof row[column] === "string");
  const lists = columns.filter((column) => Array.isArray(row[column]));
  const [text] = texts;
  if (text === undefined || lists.length === 0) return [];
  const message = `is text, and ${lists.join(", ")} holds messages: all must be messages, or all text`;
  return [fault("mixed-rows", "error", `/${text}`, message, "row")];
}

/** The columns that other trainers read, each with one of them. */
function meaningfulElsewhere(id: TrainerId): ReadonlyMap<string, string> {
  const known = elsewhere.get(id);
  if (known !== undefined) return known;
  const columns = new Map<string, string>([
    ["loss_mask", "another trainer"],
    ["weight", "another trainer"],
  ]);
  for (const other of Object.values(formats)) {
    for (const { required, optional } of other.id === id ? [] : other.forms) {
      for (const column of Object.keys({ ...required, ...optional })) {
        if (!columns.has(column)) columns.set(column, other.id);
      }
    }
  }
  elsewhere.set(id, columns);
  return columns;
}

const elsewhere = new Map<TrainerId, ReadonlyMap<string, string>>();

/** The conversation of a side, from its beginning. */
export function messagesOf(row: TrainerRow, side: RowPart): RowMessage[] {
  return [...(row.prompt?.messages ?? []), ...(side.messages ?? [])];
}
