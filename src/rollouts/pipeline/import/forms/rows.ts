import { resolvePointer, toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount, previewValue } from "../../../../base/text.js";
import { taskHash } from "../../../wire/conversation/task-hash.js";
import { toBranch, withoutValues } from "../conversation/branch.js";
import { type RowConversation, requireAnswer, toGivenText } from "../conversation/conversation.js";
import { findDeepFault } from "../conversation/fields.js";
import { RowIssues } from "../conversation/issues.js";
import {
  type Imported,
  type ImportFault,
  type ImportReader,
  type ImportSettings,
  type RecordPart,
  splitRecords,
} from "../reader.js";
import { toRewardNumber, UNIT_REWARDS } from "../verdicts/rewards.js";
import { findRunEnd } from "../verdicts/run-end.js";
import { type Metric, readScores, type ScoreFields } from "../verdicts/scores.js";
import { type Form, type FormOption, type FormValues, hasKeys, packed } from "./form.js";
import { isMessageList } from "./message-list.js";
import { findConversation } from "./rows/auto-map.js";
import { type ChosenMap, chooseMap, findPreset } from "./rows/chosen-map.js";
import { readRowConversation, skipUnreadFields } from "./rows/conversation.js";
import { MapExplainer } from "./rows/explain.js";
import { BARE_LIST, type FieldMap, GROUP_BY_TASK, ROW_FIELDS } from "./rows/field-map.js";
import { type FoundField, findField, findReward } from "./rows/find-field.js";
import { type Preset, presets } from "./rows/presets/index.js";

/** Options of all forms of rows. */
const MAP_OPTIONS: readonly FormOption[] = [
  {
    flags: "--map <fields>",
    description: `rows: where things are, as JSON Pointers, such as messages=/messages,reward=/reward,group=/prompt_id; fields are ${ROW_FIELDS.join(", ")}`,
  },
  {
    flags: "--explain-map",
    description:
      "rows: print what goes where, and what is dropped, for the first 1,000 rows; writes nothing",
  },
];

const PRESET_OPTION: FormOption = {
  flags: "--preset <name>",
  description: `rows: a known layout: ${presets.map(({ id }) => id).join(", ")}`,
};

const ROW_FILES = [...packed("**/*.jsonl"), "**/*.parquet"];

/** Rows with a conversation, wherever it is: the last form, which takes what no other one does. */
export const rows: Form = {
  id: "messages",
  purpose: "rows with messages, of any layout",
  unit: "row",
  files: ROW_FILES,
  options: [PRESET_OPTION, ...MAP_OPTIONS],
  recognise([first]) {
    if (isMessageList(first)) return true;
    if (!isJsonObject(first) || hasKeys(first, "chosen", "rejected")) return false;
    return findConversation(first) !== undefined;
  },
  createReader(settings, values, sample) {
    const name = values.optionalText("preset");
    const preset = name === undefined ? undefined : findPreset(name);
    return createRowReader(settings, values, { preset, sample });
  },
};

/** A form for each preset: rows of a known layout. */
export const presetForms: readonly Form[] = presets.map((preset) => ({
  ...{ id: preset.id, purpose: preset.purpose, unit: "row", files: ROW_FILES },
  options: [PRESET_OPTION, ...MAP_OPTIONS],
  recognise: ([first]) =>
    !hasKeys(first, "chosen", "rejected") &&
    preset.signs.some((places) =>
      places.every((place) => resolvePointer(first, place) !== undefined),
    ),
  createReader: (settings, values, sample) => createRowReader(settings, values, { preset, sample }),
}));

function createRowReader(
  settings: ImportSettings,
  values: FormValues,
  { preset, sample }: { readonly preset: Preset | undefined; readonly sample: readonly unknown[] },
): ImportReader {
  const { passValue } = settings.rewards;
  const fields = values.optionalText("map");
  const chosen = chooseMap({ preset, fields, sample, passValue });
  // Demonstrations have the layout of rows with rewards.
  const isRewarded = (row: unknown): boolean =>
    isJsonObject(row) && !isMissing(findReward(row, chosen.map).value);
  const mayLackReward = !fields && sample.length > 0 && !sample.some(isRewarded);
  return new MessagesReader(mayLackReward ? { ...settings, mayLackReward } : settings, chosen);
}

/** Values of `group` that are readable as a rollout_id. Others are hashed. */
const PLAIN_ID = /^[^\s\p{C}]{1,100}$/u;

/** Reads rows by a map. */
export class MessagesReader implements ImportReader {
  readonly #settings: ImportSettings;
  readonly #chosen: ChosenMap;
  /** What `imported_from` says of the form. */
  readonly #origin: JsonObject;
  /** Whether rewards are read without the user's options. */
  readonly #isUnit: boolean;
  /** Number of branches so far, by rollout. Takes about a hundred bytes per rollout. */
  readonly #branches = new Map<string, number>();
  /** Number of rows by the place that groups them. */
  readonly #groups = new Map<string, number>();

  constructor(settings: ImportSettings, chosen: ChosenMap, origin: JsonObject = toOrigin(chosen)) {
    const { objective, score } = settings.rewards;
    this.#settings = settings;
    this.#chosen = chosen;
    this.#origin = origin;
    this.#isUnit = !objective && !score;
  }

  refuseFile(): undefined {
    return undefined;
  }

  createExplainer(): MapExplainer {
    const read = (row: JsonObject): Imported => {
      const deep = findDeepFault(row);
      return deep ? { kind: "faulty", faults: [deep] } : this.read(row);
    };
    return new MapExplainer(read, this.#chosen);
  }

  /** A list of messages is a row of its own. */
  split(value: unknown): readonly RecordPart[] {
    const list: readonly unknown[] = isMessageList(value)
      ? [value]
      : Array.isArray(value)
        ? value
        : [];
    if (list.length === 0 || !list.every(isMessageList)) return splitRecords(value);
    return list.map((messages, index) => toBareRow(messages, list[0] === value ? "" : `/${index}`));
  }

  summarise(): [label: string, text: string][] {
    const places = [...this.#groups].map(
      ([place, count]) => `${place} (${formatCount(count, "row")})`,
    );
    const [[only] = []] = this.#groups;
    const by = this.#groups.size === 1 && only !== undefined ? only : places.join(", ");
    return by === "" ? [] : [["grouped", `by ${by}`]];
  }

  read(row: JsonObject): Imported {
    const map = this.#chosen.mapOf(row);
    const issues = new RowIssues();
    const conversation = readRowConversation(row, map, issues);
    const group = this.#findGroup(row, map, conversation, issues);
    const session = readSession(findField(row, map, "session"), issues);
    const metrics: string[] = [];
    const scores = this.#readScores(row, map, metrics, issues);
    const seed = readNumber(
      findField(row, map, "seed"),
      "an integer",
      Number.isSafeInteger,
      issues,
    );
    const temperature = readNumber(
      findField(row, map, "temperature"),
      "a number from 0",
      (number) => number >= 0,
      issues,
    );
    const turn = conversation.turns.at(-1)?.pointer;
    const { end, read } = findRunEnd(row, turn);
    // What a message says was counted with the message.
    const own = read.filter((place) => turn === undefined || !place.startsWith(`${turn}/`));
    if (issues.faults.length === 0) {
      skipUnreadFields(row, map, conversation, { issues, read: [...metrics, ...own] });
    }
    const { idPrefix } = this.#settings;
    const rolloutId = `${idPrefix}${group.id}`;
    if (issues.faults.length > 0) return { kind: "faulty", faults: issues.faults, rolloutId };
    const answered = requireAnswer(conversation);
    if ("kind" in answered) return { ...answered, tally: issues.tally };
    const branchIndex = this.#branches.get(rolloutId) ?? 0;
    this.#branches.set(rolloutId, branchIndex + 1);
    this.#groups.set(group.by, (this.#groups.get(group.by) ?? 0) + 1);
    return toBranch(answered, {
      rolloutId,
      branchIndex,
      sessionId: session ?? `${rolloutId}/${branchIndex}`,
      temperature: temperature ?? this.#settings.temperature,
      seed,
      scores,
      end: end && { ...end, hasVerdict: this.#hasVerdict(row, map) },
      origin: { ...this.#origin, record: withoutValues(row, conversation.places) },
      issues,
    });
  }

  /** The rollout of a row, and by what it was found. */
  #findGroup(
    row: JsonObject,
    map: FieldMap,
    conversation: RowConversation,
    issues: RowIssues,
  ): { readonly id: string; readonly by: string } {
    const { place, pointer, value } = findField(row, map, "group");
    const name = readName(value);
    if (name !== undefined) {
      return { id: PLAIN_ID.test(name) ? name : `group-${taskHash(name)}`, by: place };
    }
    const isByTask = map.group?.includes(GROUP_BY_TASK) === true;
    if (!isByTask || (value !== undefined && value !== null)) {
      issues.fail("group-by", pointer, describeGroup(value), "no group");
    }
    return { id: `task-${taskHash(toGivenText(conversation))}`, by: "the equal task" };
  }

  /** Adds the pointers of what was read to `metrics`. */
  #readScores(row: JsonObject, map: FieldMap, metrics: string[], issues: RowIssues): ScoreFields {
    const { rewards, mayLackReward } = this.#settings;
    const isAbsent = map.reward === undefined || isMissing(findReward(row, map).value);
    if (this.#isUnit && isAbsent && (map.reward === undefined || mayLackReward)) return {};
    const missing = this.#isUnit ? findBadReward(row, map, rewards.passValue) : undefined;
    if (missing !== undefined) {
      issues.faults.push(missing);
      return {};
    }
    const mapping = this.#isUnit ? { ...UNIT_REWARDS, passValue: rewards.passValue } : rewards;
    const { fields, faults } = readScores(mapping, (name) => {
      const metric = findMetric(row, map, name);
      metrics.push(metric.pointer);
      return metric;
    });
    const advice = ": give the scale of your rewards by this option, and --objective";
    for (const { id, pointer, message, cause } of faults) {
      issues.fail(id, pointer, this.#isUnit ? message + advice : message, cause);
    }
    return fields;
  }

  /** Whether the row or the user says when it passes, and not only how good it is. */
  #hasVerdict(row: JsonObject, map: FieldMap): boolean {
    const { value } = findReward(row, map);
    return (
      !this.#isUnit || typeof value === "boolean" || this.#settings.rewards.passValue !== undefined
    );
  }
}

function toOrigin({ preset }: ChosenMap): JsonObject {
  return { source: rows.id, ...(preset && { preset: preset.id }) };
}

/** Why the reward of a row cannot be read without options; undefined if it can. */
function findBadReward(
  row: JsonObject,
  map: FieldMap,
  passValue: string | undefined,
): ImportFault | undefined {
  const { pointer, value } = findReward(row, map);
  if (toRewardNumber(value, passValue) !== undefined) return undefined;
  if (value !== undefined) {
    const cause = "the reward must be a number, true or false";
    const advice = typeof value === "string" ? "; --pass-value names the word that passes" : "";
    const message = `${cause}, is ${previewValue(value)}${advice}`;
    return { id: "metric-type", pointer, message, cause };
  }
  const places = map.reward?.join(" or ");
  const message = `the row has no reward at ${places}: name its place by --map reward=<pointer>`;
  return { id: "metric-missing", pointer, message };
}

/** `reward` is the mapped field, a JSON Pointer any value, and every other name a field of the row. */
function findMetric(row: JsonObject, map: FieldMap, name = "reward"): Metric {
  if (name.startsWith("/")) return { pointer: name, value: resolvePointer(row, name) };
  if (name === "reward" && map.reward !== undefined) return findReward(row, map);
  const pointer = `/${toPointerToken(name)}`;
  return { pointer, value: resolvePointer(row, pointer) };
}

/** A list of messages as a row that holds it. */
function toBareRow(messages: readonly JsonObject[], pointer: string): RecordPart {
  const toTextPointer = (inner: string): string =>
    `${pointer}${inner.startsWith(`${BARE_LIST}/`) ? inner.slice(BARE_LIST.length) : ""}`;
  return { value: { messages }, pointer, toTextPointer };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function describeGroup(value: unknown): string {
  const is = value === undefined ? "the row has none" : `is ${previewValue(value)}`;
  return `must be a string or a number for the group; ${is}: map another place, or group=${GROUP_BY_TASK}`;
}

/** A name as text; undefined if there is none. */
function readName(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : undefined;
}

function readSession({ value, pointer }: FoundField, issues: RowIssues): string | undefined {
  const name = readName(value);
  const isAbsent = value === undefined || value === null || value === "";
  if (name === undefined && !isAbsent) issues.refuse(pointer, "a string or a number", value);
  return name;
}

/** Reads a number; undefined for null. A fault if it is not of the right kind. */
function readNumber(
  { value, pointer }: FoundField,
  must: string,
  isRight: (value: number) => boolean,
  issues: RowIssues,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && isRight(value)) return value;
  issues.refuse(pointer, must, value);
  return undefined;
}
