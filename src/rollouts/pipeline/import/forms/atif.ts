import { resolvePointer, toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount, previewValue } from "../../../../base/text.js";
import { EXIT, UserError } from "../../../../base/user-error.js";
import { taskHash } from "../../../wire/conversation/task-hash.js";
import { toBranch, withoutValues } from "../conversation/branch.js";
import { type Answered, requireAnswer } from "../conversation/conversation.js";
import { RowIssues } from "../conversation/issues.js";
import { skipFields } from "../conversation/unread.js";
import type {
  Imported,
  ImportFault,
  ImportReader,
  ImportSettings,
  RecordPlace,
} from "../reader.js";
import { findRunEnd } from "../verdicts/run-end.js";
import { type Metric, readScores } from "../verdicts/scores.js";
import { readTrajectory } from "./atif-steps.js";
import { type Form, hasKeys, packed } from "./form.js";
import { readTrial } from "./harbor.js";

/** Known versions: 1.0 to 1.8 differ in optional fields only. */
const MAJOR = 1;
const LATEST_MINOR = 8;
const VERSION = /^(?:ATIF-v)?(\d+)\.(\d+)$/;
const SUPPORTED = `supported is ATIF-v${MAJOR}.0 to v${MAJOR}.${LATEST_MINOR}`;

const TASK = "task";

/** Fields of a trajectory that are read. */
const READ_FIELDS = [
  ...[
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "continued_trajectory_ref",
  ],
  // A warning counts them.
  "subagent_trajectories",
];

const AGENT_FIELDS: ReadonlySet<string> = new Set(["name", "tool_definitions"]);

/** What `imported_from.record` leaves out: it is in the branch, or no part of the run. */
const PLACED = ["/steps", "/agent/tool_definitions", "/subagent_trajectories"] as const;

/**
 * Trajectories in the Agent Trajectory Interchange Format, written by Harbor's agents: one JSON document per
 * file, or JSONL. Trajectories of the same task are the branches of one rollout.
 */
export const atif: Form = {
  id: "atif",
  purpose: "trajectories in the Agent Trajectory Interchange Format, 1.7 and other 1.x",
  unit: "trajectory",
  // Not every JSON file, because agents keep other logs in the same folder.
  files: ["{,*.}trajectory{,.cont-*}.json", "*.atif.json", "{*.atif,trajectories}.jsonl"].flatMap(
    (name) => packed(`**/${name}`),
  ),
  options: [
    {
      flags: "--group-by <what>",
      description:
        "atif: group trajectories into rollouts by task, or by the value at a JSON Pointer such as /extra/task_id (default: task)",
    },
    {
      flags: "--group-until <text>",
      description:
        "atif: compare only the part of the --group-by value before this text: with __, fix-build of fix-build__a1b2c3d",
    },
  ],
  recognise: ([first]) => isTrajectory(first),
  createReader(settings, values) {
    const groupBy = values.optionalText("groupBy") ?? TASK;
    if (groupBy !== TASK && !groupBy.startsWith("/")) {
      throw new UserError(
        `--group-by ${previewValue(groupBy)}: write ${TASK}, or a JSON Pointer such as /session_id`,
        EXIT.usage,
      );
    }
    if (settings.rewards.score !== undefined && settings.rewards.score.metric === undefined) {
      throw new UserError(
        "--score-range: a trajectory has no reward of its own: name it by --score, such as /extra/reward",
        EXIT.usage,
      );
    }
    return new AtifReader({ ...settings, groupBy, groupUntil: values.optionalText("groupUntil") });
  },
};

interface AtifSettings extends ImportSettings {
  /** `task`, or a JSON Pointer. */
  readonly groupBy: string;
  readonly groupUntil: string | undefined;
}

class AtifReader implements ImportReader {
  readonly #settings: AtifSettings;
  /** Number of trajectories so far, by rollout id. Takes about a hundred bytes per rollout. */
  readonly #branches = new Map<string, number>();

  constructor(settings: AtifSettings) {
    this.#settings = settings;
  }

  refuseFile(): undefined {
    return undefined;
  }

  read(document: JsonObject, place: RecordPlace): Imported {
    const version = readVersion(document);
    if (version.fault !== undefined) return { kind: "faulty", faults: [version.fault] };
    const issues = new RowIssues("left-out");
    const session = issues.optionalText(document, "session_id");
    const trajectory = issues.optionalText(document, "trajectory_id");
    const next = issues.optionalText(document, "continued_trajectory_ref");
    checkAgent(document, issues);
    const { skippedSteps, ...conversation } = readTrajectory(document, issues);
    const answered = requireAnswer(conversation);
    const group = "kind" in answered ? "" : this.#findGroup(document, answered, issues);
    const { rewards } = this.#settings;
    const isAsked = rewards.objective !== undefined || rewards.score !== undefined;
    const trial = isAsked ? undefined : readTrial(place, rewards);
    const known = new Set(READ_FIELDS);
    const read = readScores(rewards, (name) => {
      const metric = findMetric(document, name);
      known.add(metric.pointer.split("/")[1] ?? "");
      return metric;
    });
    const scores = trial?.scores ?? read.fields;
    issues.faults.push(...(trial?.faults ?? read.faults));
    skipFields(document, known, "", issues);
    const { end } = findRunEnd(
      { ...(isJsonObject(document.extra) && document.extra), ...trial?.record },
      undefined,
    );
    const { idPrefix, temperature } = this.#settings;
    const rolloutId = `${idPrefix}${atif.id}-${taskHash(group)}`;
    if (issues.faults.length > 0) return { kind: "faulty", faults: issues.faults, rolloutId };
    if (next !== undefined) return { kind: "left-out", fault: toContinued(next) };
    if ("kind" in answered) return { ...answered, tally: issues.tally };
    const branchIndex = this.#branches.get(rolloutId) ?? 0;
    this.#branches.set(rolloutId, branchIndex + 1);
    return toBranch(answered, {
      rolloutId,
      branchIndex,
      sessionId: session ?? trajectory ?? `${rolloutId}/${branchIndex}`,
      temperature,
      scores,
      origin: {
        source: atif.id,
        record: { ...withoutValues(document, PLACED), ...(trial && { trial: trial.record }) },
      },
      issues,
      warnings: [...version.warnings, ...findSubagents(document)],
      skippedSteps,
      end: end && { ...end, pointer: trial ? "" : `/extra${end.pointer}`, hasVerdict: true },
    });
  }

  #findGroup(document: JsonObject, { task }: Answered, issues: RowIssues): string {
    const { groupBy, groupUntil } = this.#settings;
    // Two tasks of the same words may show different pictures.
    const pictures = task.unplaced?.length ? JSON.stringify(task.unplaced) : "";
    const value =
      groupBy === TASK ? task.message.content + pictures : resolvePointer(document, groupBy);
    if (typeof value !== "string" && typeof value !== "number") {
      const cause = "must be a string or a number for --group-by";
      issues.fail("group-by", groupBy, `${cause}, is ${previewValue(value)}`, cause);
      return "";
    }
    const group = String(value);
    const [beginning = ""] = groupUntil === undefined ? [group] : group.split(groupUntil);
    // The pointer distinguishes equal values of two fields, such as a task and a name.
    return groupBy === TASK ? beginning : `${groupBy}=${beginning}`;
  }
}

function findSubagents({ subagent_trajectories: subagents }: JsonObject): ImportFault[] {
  if (!Array.isArray(subagents) || subagents.length === 0) return [];
  const what = formatCount(
    subagents.length,
    "trajectory of a subagent",
    "trajectories of subagents",
  );
  const pointer = "/subagent_trajectories";
  return [{ id: "subagent-trajectory", pointer, message: `${what} left out`, cause: "left out" }];
}

/** Tells whether a value is a trajectory of any version: it says so, or has steps by sources. */
export function isTrajectory(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { schema_version: version, steps } = value;
  if (typeof version === "string" && version.startsWith("ATIF-")) return true;
  const [first]: readonly unknown[] = Array.isArray(steps) ? steps : [];
  return hasKeys(value, "agent") && hasKeys(first, "source", "step_id");
}

interface VersionReading {
  readonly fault?: ImportFault;
  readonly warnings: readonly ImportFault[];
}

function readVersion({ schema_version: version }: JsonObject): VersionReading {
  const id = "schema-version";
  if (version === undefined) {
    const message = `lacks "schema_version": not an ATIF trajectory; ${SUPPORTED}`;
    return { fault: { id, pointer: "", message }, warnings: [] };
  }
  const pointer = "/schema_version";
  const [, major, minor] = typeof version === "string" ? (VERSION.exec(version) ?? []) : [];
  if (Number(major) !== MAJOR) {
    const message = `${previewValue(version)} is not supported: ${SUPPORTED}`;
    return { fault: { id, pointer, message }, warnings: [] };
  }
  if (Number(minor) <= LATEST_MINOR) return { warnings: [] };
  const message = `${previewValue(version)} is newer than the versions known here: read as v1.${LATEST_MINOR}`;
  return { warnings: [{ id, pointer, message }] };
}

function checkAgent(document: JsonObject, issues: RowIssues): void {
  const { agent } = document;
  if (agent === undefined || agent === null) issues.fail("required", "", 'lacks "agent"');
  else if (isJsonObject(agent)) {
    issues.text(agent, "name", "/agent");
    skipFields(agent, AGENT_FIELDS, "/agent", issues);
  } else issues.refuse("/agent", "an object", agent);
}

function toContinued(next: string): ImportFault {
  const message = `continues in ${previewValue(next)}, which holds the answer: only the last part is imported`;
  return { id: "continued", pointer: "/continued_trajectory_ref", message };
}

/** A JSON Pointer, or the name of a field of `extra` or of the final metrics. */
function findMetric(document: JsonObject, name = ""): Metric {
  if (name.startsWith("/")) return { pointer: name, value: resolvePointer(document, name) };
  const pointers = ["/extra", "/final_metrics", "/final_metrics/extra"].map(
    (place) => `${place}/${toPointerToken(name)}`,
  );
  const found = pointers.find((pointer) => resolvePointer(document, pointer) !== undefined);
  const pointer = found ?? `/extra/${toPointerToken(name)}`;
  return { pointer, value: resolvePointer(document, pointer) };
}
