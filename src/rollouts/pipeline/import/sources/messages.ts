import { resolvePointer, toPointerToken } from "../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { taskHash } from "../../../wire/conversation/task-hash.js";
import { toBranch, withoutValues } from "./conversation/branch.js";
import { type RowConversation, requireAnswer } from "./conversation/conversation.js";
import { RowIssues } from "./conversation/issues.js";
import { findDeepFault } from "./fields.js";
import { type ChosenMap, readFieldMap } from "./messages/chosen-map.js";
import { type MappedConversation, readRowConversation } from "./messages/conversation.js";
import { MapExplainer } from "./messages/explain.js";
import { GROUP_BY_TASK, ROW_FIELDS } from "./messages/field-map.js";
import { type FoundField, findField, findReward } from "./messages/find-field.js";
import { presets } from "./messages/presets/index.js";
import { parseObjective, parseScoreRange, type RewardMapping } from "./rewards.js";
import { type Metric, readScores, type ScoreFields } from "./scores.js";
import type {
  Imported,
  ImportFault,
  ImportReader,
  ImportSettings,
  ImportSource,
} from "./source.js";

/** Rows that contain a conversation: a field map, or a preset, says where things are. */
export const messages: ImportSource = {
  id: "messages",
  purpose: "rows with messages, of any layout",
  unit: "row",
  files: ["", ".gz", ".zst"].map((packed) => `**/*.jsonl${packed}`),
  documents: false,
  options: [
    {
      flags: "--preset <name>",
      description: `messages: a known layout of rows: ${presets.map(({ id }) => id).join(", ")}`,
    },
    {
      flags: "--map <fields>",
      description: `messages: where things are in a row, as JSON Pointers, such as messages=/messages,reward=/reward,group=/prompt_id; fields are ${ROW_FIELDS.join(", ")}`,
    },
    {
      flags: "--explain-map",
      description:
        "messages: print what goes where, and what is dropped, for the first 1,000 rows; writes nothing",
    },
  ],
  createReader(settings, values) {
    const chosen = readFieldMap(values.optionalText("preset"), values.optionalText("map"));
    return new MessagesReader(settings, chosen);
  },
};

/** Rewards from 0 to 1 are understood without options, and so are true and false. */
const UNIT_REWARDS: RewardMapping = {
  objective: parseObjective("reward>0.5"),
  score: { metric: undefined, range: parseScoreRange("0,1") },
};

/** Values of `group` that are readable as a rollout_id. Others are hashed. */
const PLAIN_ID = /^[^\s\p{C}]{1,100}$/u;

class MessagesReader implements ImportReader {
  readonly #settings: ImportSettings;
  readonly #chosen: ChosenMap;
  /** Whether rewards are read without the user's options. */
  readonly #isUnit: boolean;
  readonly #rewards: RewardMapping;
  /** Number of branches so far, by rollout. Takes about a hundred bytes per rollout. */
  readonly #branches = new Map<string, number>();
  #rows = 0;

  constructor(settings: ImportSettings, chosen: ChosenMap) {
    const { objective, score } = settings.rewards;
    this.#settings = settings;
    this.#chosen = chosen;
    this.#isUnit = chosen.map.reward !== undefined && !objective && !score;
    this.#rewards = this.#isUnit ? UNIT_REWARDS : settings.rewards;
  }

  refuseFile(): undefined {
    return undefined;
  }

  createExplainer(): MapExplainer {
    return new MapExplainer(this, this.#chosen);
  }

  read(row: JsonObject): Imported {
    this.#rows += 1;
    const deep = findDeepFault(row);
    if (deep !== undefined) return { kind: "faulty", faults: [deep] };
    const { map } = this.#chosen;
    const issues = new RowIssues();
    const conversation = readRowConversation(row, map, issues);
    const group = this.#findGroup(row, conversation, issues);
    const session = readSession(findField(row, map, "session"), issues);
    const scores = this.#readScores(row, issues);
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
    if (issues.faults.length > 0) return { kind: "faulty", faults: issues.faults };
    const answered = requireAnswer(conversation);
    if ("kind" in answered) return answered;
    const { idPrefix } = this.#settings;
    const rolloutId = `${idPrefix}${group ?? `row-${this.#rows}`}`;
    const branchIndex = group === undefined ? 0 : (this.#branches.get(rolloutId) ?? 0);
    if (group !== undefined) this.#branches.set(rolloutId, branchIndex + 1);
    return toBranch(answered, {
      rolloutId,
      branchIndex,
      sessionId: session ?? `${rolloutId}/${branchIndex}`,
      temperature: temperature ?? this.#settings.temperature,
      seed,
      scores,
      origin: this.#toOrigin(row, conversation),
      issues,
    });
  }

  /** The rollout of a row; undefined if every row is its own. */
  #findGroup(
    row: JsonObject,
    { before, task, tools }: RowConversation,
    issues: RowIssues,
  ): string | undefined {
    const { group: places } = this.#chosen.map;
    if (places === undefined) return undefined;
    const { pointer, value } = findField(row, this.#chosen.map, "group");
    const name = readName(value);
    if (name !== undefined) return PLAIN_ID.test(name) ? name : `group-${taskHash(name)}`;
    if (!places.includes(GROUP_BY_TASK) || (value !== undefined && value !== null)) {
      issues.fail("group-by", pointer, describeGroup(value), "no group");
      return undefined;
    }
    const given = [...before, ...(task ? [task] : [])].map(({ message }) => message);
    return `task-${taskHash(JSON.stringify([given, tools ?? null]))}`;
  }

  #readScores(row: JsonObject, issues: RowIssues): ScoreFields {
    const missing = this.#isUnit ? this.#findBadReward(row) : undefined;
    if (missing !== undefined) {
      issues.faults.push(missing);
      return {};
    }
    const { fields, faults } = readScores(this.#rewards, (name) => this.#findMetric(row, name));
    const advice = ": give the scale of your rewards by this option, and --objective";
    for (const { id, pointer, message, cause } of faults) {
      issues.fail(id, pointer, this.#isUnit ? message + advice : message, cause);
    }
    return fields;
  }

  /** Why the reward of a row cannot be read without options; undefined if it is a number or a boolean. */
  #findBadReward(row: JsonObject): ImportFault | undefined {
    const { pointer, value } = findReward(row, this.#chosen.map);
    if (typeof value === "number" || typeof value === "boolean") return undefined;
    if (value !== undefined) {
      const cause = "the reward must be a number, true or false";
      const message = `${cause}, is ${previewValue(value)}`;
      return { id: "metric-type", pointer, message, cause };
    }
    const places = this.#chosen.map.reward?.join(" or ");
    const message = `the row has no reward at ${places}: name its place by --map reward=<pointer>`;
    return { id: "metric-missing", pointer, message };
  }

  /** `reward` is the mapped field, a JSON Pointer any value, and every other name a field of the row. */
  #findMetric(row: JsonObject, name = "reward"): Metric {
    if (name.startsWith("/")) return { pointer: name, value: resolvePointer(row, name) };
    if (name === "reward" && this.#chosen.map.reward !== undefined) {
      return findReward(row, this.#chosen.map);
    }
    const pointer = `/${toPointerToken(name)}`;
    return { pointer, value: resolvePointer(row, pointer) };
  }

  #toOrigin(row: JsonObject, { places }: MappedConversation): JsonObject {
    const { preset } = this.#chosen;
    return {
      source: messages.id,
      ...(preset && { preset: preset.id }),
      record: withoutValues(row, places),
    };
  }
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
