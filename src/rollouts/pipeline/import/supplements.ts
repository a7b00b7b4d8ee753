import type { ToolDefinition } from "#generated/index.js";
import { readText } from "../../../base/files/inputs.js";
import { displayName, type InputSource } from "../../../base/files/source.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { SCORE_OF_STATUS } from "../../wire/scoring/objective.js";
import { RowIssues } from "./conversation/issues.js";
import { parseJsonText } from "./conversation/json-text.js";
import { readTools } from "./conversation/tools.js";
import type { FaultyRow, ImportedBranch } from "./reader.js";
import { type RewardMapping, UNIT_REWARDS } from "./verdicts/rewards.js";
import { readScores } from "./verdicts/scores.js";

/** What the user gives beside the logs. */
export interface SupplementSettings {
  /** Definitions for branches whose records have none. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Rewards by the session or the id of a record. Undefined: records have their own. */
  readonly rewards?: ReadonlyMap<string, unknown> | undefined;
  /** How those rewards are mapped. */
  readonly mapping?: RewardMapping | undefined;
  /** Whether a branch without a verdict passes. */
  readonly assumePassed?: boolean | undefined;
  /** Whether the verdict of a run stands that did not end by itself. */
  readonly keepErrored?: boolean | undefined;
}

/** A branch with what the user gives. */
export interface SupplementedBranch extends ImportedBranch {
  /** Whether its verdict is assumed. */
  readonly isAssumed: boolean;
}

/** Adds to branches what their logs lack. */
export class Supplements {
  readonly #settings: SupplementSettings;
  readonly #unused: Set<string>;

  constructor(settings: SupplementSettings = {}) {
    this.#settings = settings;
    this.#unused = new Set(settings.rewards?.keys());
  }

  /** The ids of rewards that no record has had. */
  get unused(): readonly string[] {
    return [...this.#unused];
  }

  apply(imported: ImportedBranch): SupplementedBranch | FaultyRow {
    const { tools, rewards, assumePassed, keepErrored = false } = this.#settings;
    const rewarded = rewards === undefined ? imported : this.#addReward(imported, rewards);
    if (rewarded.kind === "faulty") return rewarded;
    const settled = settleRunEnd(rewarded, keepErrored);
    const { branch } = settled;
    const isAssumed = assumePassed === true && branch.objective_status === undefined;
    const lacksTools = tools !== undefined && branch.context?.tools === undefined;
    const verdict = { objective_status: "pass", objective_score: SCORE_OF_STATUS.pass } as const;
    return {
      ...settled,
      isAssumed,
      branch: {
        ...branch,
        ...(isAssumed && { ...verdict, scored_by: { objective: "assumed" } }),
        ...(lacksTools && { context: { ...branch.context, tools: [...tools] } }),
      },
    };
  }

  #addReward(
    imported: ImportedBranch,
    rewards: ReadonlyMap<string, unknown>,
  ): ImportedBranch | FaultyRow {
    const { branch } = imported;
    const record = isJsonObject(branch.imported_from) ? branch.imported_from.record : undefined;
    const own = isJsonObject(record) ? record.id : undefined;
    const ids = [branch.session_id, String(own)];
    const id = ids.find((each) => rewards.has(each));
    if (id === undefined) {
      const message = `the reward file has no reward for ${previewValue(branch.session_id)}`;
      return { kind: "faulty", faults: [{ id: "metric-missing", pointer: "", message }] };
    }
    this.#unused.delete(id);
    const { objective, score } = this.#settings.mapping ?? {};
    const mapping =
      objective || score ? { ...this.#settings.mapping, objective, score } : UNIT_REWARDS;
    const { fields, faults } = readScores(mapping, () => ({
      pointer: "",
      value: rewards.get(id),
    }));
    if (faults.length > 0) return { kind: "faulty", faults };
    return { ...imported, branch: { ...branch, ...fields } };
  }
}

/**
 * A branch whose run did not end by itself. A fault says nothing of the agent, so the verdict is unknown; if the run was
 * cut, the verdict of its record stands. `keeps`: it stands always.
 */
function settleRunEnd<Branch extends ImportedBranch>(imported: Branch, keeps: boolean): Branch {
  const { branch, end } = imported;
  if (end === undefined || keeps) return imported;
  const status = branch.objective_status;
  const stands = status === "pass" || (status === "fail" && end.hasVerdict);
  if (end.kind === "cut" && stands) return imported;
  const { judge_score: _, scored_by: __, ...rest } = branch;
  const unknown = {
    objective_status: "unknown",
    objective_score: SCORE_OF_STATUS.unknown,
  } as const;
  const why = end.kind === "fault" ? "failed outside of the agent" : "was cut short";
  const cause = `the run ${why}`;
  const message = `${cause} (${end.says}): objective_status is unknown, so that nothing is learned from it; --keep-errored keeps its verdict`;
  const id = end.kind === "fault" ? "errored-run" : "truncated-run";
  const warnings = [...imported.warnings, { id, pointer: end.pointer, message, cause }];
  return { ...imported, branch: { ...rest, ...unknown }, warnings };
}

/** Reads tool definitions: a JSON list, or an object with the list in `tools`. Throws UserError (exit 3). */
export async function readToolsFile(
  file: string,
  source: InputSource,
): Promise<readonly ToolDefinition[]> {
  const { value, problem = "must be a JSON list of tool definitions" } = parseJsonText(
    await readText(file, source),
  );
  const issues = new RowIssues();
  const list = isJsonObject(value) && Array.isArray(value.tools) ? value.tools : value;
  const tools = Array.isArray(list) ? readTools(list, "", issues) : undefined;
  const [fault] = issues.faults;
  if (fault === undefined && tools !== undefined && tools.length > 0) return tools;
  const why = fault ? `${fault.pointer} ${fault.message}` : problem;
  throw new UserError(`--tools ${displayName(file)}: ${why}`);
}

/** Keys of the id and of the reward in a line of a reward file. */
const ID_KEYS = ["id", "session_id", "instance_id"];
const REWARD_KEYS = ["reward", "score", "resolved"];

/**
 * Reads rewards: a JSON object from ids to rewards, or lines with an id and a reward. Throws UserError: exit 3 if it is
 * neither, exit 2 if an id has two rewards.
 */
export async function readRewardFile(
  file: string,
  source: InputSource,
): Promise<ReadonlyMap<string, unknown>> {
  const text = await readText(file, source);
  const whole = tryParseJson(text);
  const isMap = isJsonObject(whole) && find(whole, ID_KEYS) === undefined;
  if (isMap) return new Map(Object.entries(whole));
  const rewards = new Map<string, unknown>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const row = tryParseJson(line);
    const id = isJsonObject(row) ? find(row, ID_KEYS) : undefined;
    const reward = isJsonObject(row) ? find(row, REWARD_KEYS) : undefined;
    const place = `--reward-file ${displayName(file)}:${index + 1}`;
    if (id === undefined || reward === undefined) {
      throw new UserError(
        `${place}: write {"id": ..., "reward": ...} in each line, or one object {"<id>": <reward>}`,
      );
    }
    const key = String(id);
    if (rewards.has(key)) {
      throw new UserError(`${place}: a second reward for ${previewValue(key)}`, EXIT.usage);
    }
    rewards.set(key, reward);
  }
  if (rewards.size > 0) return rewards;
  throw new UserError(`--reward-file ${displayName(file)}: has no rewards`);
}

function find(row: JsonObject, keys: readonly string[]): unknown {
  return keys.map((key) => row[key]).find((value) => value !== undefined && value !== null);
}
