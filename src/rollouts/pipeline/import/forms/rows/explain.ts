import type { Message } from "#generated/index.js";
import { toPointerToken } from "../../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../../base/json/value.js";
import { formatCount, previewValue } from "../../../../../base/text.js";
import type {
  ExplainedPlace,
  Explanation,
  Imported,
  ImportedBranch,
  ImportFault,
  RowExplainer,
} from "../../reader.js";
import type { ChosenMap } from "./chosen-map.js";
import { type FieldMap, GROUP_BY_TASK, isRowField, type RowField } from "./field-map.js";
import { type FoundField, findField, findReward } from "./find-field.js";

const DROPPED = "(dropped)";
const KEPT = "imported_from.record";

/** Stands for the pointer where rows are grouped by task. */
const BY_TASK = `(${GROUP_BY_TASK})`;

/** What a field of a row can become. */
const TARGETS: Readonly<Record<RowField, readonly string[]>> = {
  messages: ["context.messages", "task", "turns", "tool_call_sequence", "final_answer"],
  prompt: ["context.messages", "task", "turns", "tool_call_sequence"],
  completion: ["turns", "tool_call_sequence", "final_answer"],
  system: ["context.messages"],
  tools: ["context.tools"],
  reward: ["objective_status, judge_score"],
  group: ["rollout_id"],
  session: ["session_id"],
  seed: ["seed"],
  temperature: ["temperature"],
};

/** One place of one row. */
interface RowPlace {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

/** Counts what becomes of the places of rows. Places are listed in the order of the map, then of the rows. */
export class MapExplainer implements RowExplainer {
  readonly #read: (row: JsonObject) => Imported;
  readonly #chosen: ChosenMap;
  readonly #places = new Map<string, ExplainedPlace>();
  readonly #problems = new Map<string, ImportFault & { readonly rows: number }>();
  /** All places in which the rows were read. */
  #map: FieldMap = {};
  #rows = 0;
  #branches = 0;

  constructor(read: (row: JsonObject) => Imported, chosen: ChosenMap) {
    this.#read = read;
    this.#chosen = chosen;
  }

  add(row: JsonObject): void {
    this.#rows += 1;
    const imported = this.#read(row);
    if (imported.kind === "branch") {
      this.#branches += 1;
      const map = this.#chosen.mapOf(row);
      this.#map = joinMaps(this.#map, map);
      const read = listFields(map).flatMap((field) => describeField(row, map, field, imported));
      for (const place of [...read, ...listRest(row, map, imported, read)]) this.#count(place);
      return;
    }
    const faults = imported.kind === "faulty" ? imported.faults : [imported.fault];
    const byId = new Map(faults.map((fault) => [fault.id, fault]));
    for (const [id, fault] of byId) {
      const known = this.#problems.get(id) ?? { ...fault, rows: 0 };
      this.#problems.set(id, { ...known, rows: known.rows + 1 });
    }
  }

  explain(): Explanation {
    const { preset, isFound } = this.#chosen;
    const map = isFound ? this.#map : this.#chosen.map;
    const seen = [...this.#places.values()];
    const mapped = listFields(map).flatMap((field) => {
      const pointers = [...(map[field] ?? []), BY_TASK];
      const found = pointers.flatMap((pointer) => seen.filter(({ from }) => from === pointer));
      const own = found.filter(({ to }) => TARGETS[field].includes(to));
      const [from = ""] = pointers;
      const [target = "", ...more] = TARGETS[field];
      const to = more.length > 0 ? "the conversation" : target;
      return own.length > 0 || isFound ? own : [{ from, to, rows: 0, example: "in no row" }];
    });
    return {
      title:
        preset === undefined
          ? isFound
            ? "found in the rows"
            : "--map"
          : `--preset ${preset.id}: ${preset.purpose}`,
      rows: this.#rows,
      branches: this.#branches,
      places: [
        ...mapped,
        ...seen.filter(({ to }) => to === KEPT),
        ...seen.filter(({ to }) => to === DROPPED),
      ],
      problems: [...this.#problems.values()],
    };
  }

  #count({ from, to, example }: RowPlace): void {
    const key = JSON.stringify([from, to]);
    const known = this.#places.get(key) ?? { from, to, rows: 0, example };
    this.#places.set(key, { ...known, rows: known.rows + 1 });
  }
}

function joinMaps(one: FieldMap, other: FieldMap): FieldMap {
  const fields = new Set([...listFields(one), ...listFields(other)]);
  return Object.fromEntries(
    [...fields].map((field) => [
      field,
      [...new Set([...(one[field] ?? []), ...(other[field] ?? [])])],
    ]),
  );
}

function listFields(map: FieldMap): RowField[] {
  return Object.keys(map).filter(isRowField);
}

/** What becomes of a field of a row that gives a branch. */
function describeField(
  row: JsonObject,
  map: FieldMap,
  field: RowField,
  imported: ImportedBranch,
): RowPlace[] {
  const found = field === "reward" ? findReward(row, map) : findField(row, map, field);
  const { place: from, value } = found;
  if (field === "messages" || field === "prompt" || field === "completion" || field === "system") {
    return describeConversation(imported, found);
  }
  const [to = ""] = TARGETS[field];
  const { rollout_id: rollout, objective_status: status, context } = imported.branch;
  if (value === undefined || value === null) {
    const isGrouped = field === "group" && map.group?.includes(GROUP_BY_TASK) === true;
    return isGrouped ? [{ from: BY_TASK, to, example: previewValue(rollout) }] : [];
  }
  const verdict = status === undefined ? "" : `: ${status}`;
  const names = context?.tools?.map((tool) => tool.function.name) ?? [];
  if (field === "group") return [{ from, to, example: previewValue(rollout) }];
  if (field === "reward") return [{ from, to, example: `${previewValue(value)}${verdict}` }];
  if (field === "tools") {
    return [{ from, to, example: listNames(formatCount(names.length, "tool"), names) }];
  }
  return [{ from, to, example: previewValue(value) }];
}

/** The fields of a row that are not read, and those of its messages. */
function listRest(
  row: JsonObject,
  map: FieldMap,
  { tally }: ImportedBranch,
  read: readonly RowPlace[],
): RowPlace[] {
  const told = new Set(read.map(({ from }) => from));
  const found = listFields(map).map((field) => findField(row, map, field));
  const places = found.filter(({ place }) => told.has(place));
  const kept = Object.entries(row)
    .map(([key, value]) => ({
      from: `/${toPointerToken(key)}`,
      to: KEPT,
      example: previewValue(value),
    }))
    .filter(({ from }) => !places.some(({ pointer }) => pointer === from));
  const isKept = (place: string): boolean =>
    kept.some(({ from }) => place === from || place.startsWith(`${from}/`));
  const dropped = [...tally.unread].filter(([place]) => !isKept(place));
  return [...kept, ...dropped.map(([from, { example }]) => ({ from, to: DROPPED, example }))];
}

/** What a branch has from the messages at a pointer. */
function describeConversation(
  imported: ImportedBranch,
  { place: from, pointer }: FoundField,
): RowPlace[] {
  const { context, turns = [], tool_call_sequence: events, task, final_answer } = imported.branch;
  const before = context?.messages ?? [];
  const calls = events.filter(({ event }) => event === "tool_call").length;
  const results = formatCount(events.length - calls, "result");
  const listed: [to: string, parts: readonly unknown[], example: string][] = [
    ["context.messages", before, describeMessages(before)],
    ["turns", turns, describeMessages(turns)],
    ["tool_call_sequence", events, `${formatCount(calls, "call")}, ${results}`],
  ];
  const isHere = (part: string): boolean => {
    const source = imported.toSourcePointer(part);
    return source === pointer || source.startsWith(`${pointer}/`);
  };
  return [
    ...(isHere("/task") ? [{ from, to: "task", example: previewValue(task) }] : []),
    ...listed
      .filter(([to, parts]) =>
        parts.some((_, index) => isHere(`/${to.replace(".", "/")}/${index}`)),
      )
      .map(([to, , example]) => ({ from, to, example })),
    ...(final_answer !== "" && isHere("/final_answer")
      ? [{ from, to: "final_answer", example: previewValue(final_answer) }]
      : []),
  ];
}

function describeMessages(messages: readonly Message[]): string {
  return listNames(
    formatCount(messages.length, "message"),
    messages.map(({ role }) => role),
  );
}

/** The most names that an example lists. */
const MAX_NAMES = 4;

function listNames(what: string, names: readonly string[]): string {
  if (names.length === 0) return what;
  const more = names.length > MAX_NAMES ? ", …" : "";
  return `${what}: ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}
