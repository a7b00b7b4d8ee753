import {
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranch,
  type RolloutTraceStep,
} from "#generated/index.js";
import type { JsonObject } from "../../../json/value.js";
import type { ImportedBranch, ImportFault, ImportSettings } from "../import-source.js";
import type { ScoreFields } from "../rewards/read-scores.js";
import type { Transcript } from "./transcript.js";

/** Where a branch comes from, kept in it as `imported_from`. */
export interface Origin {
  /** Id of the source. */
  readonly source: string;
  /** The row but for its steps. */
  readonly record: JsonObject;
  /** What the system told the agent, where the log says it. */
  readonly system_prompt?: string;
}

/** What a source knows of a branch. */
export interface BranchParts {
  /** Without the prefix. */
  readonly rolloutId: string;
  readonly sessionId: string;
  readonly branchIndex: number;
  readonly task: string;
  readonly transcript: Transcript;
  /** Undefined unless traces are asked for. */
  readonly steps?: readonly RolloutTraceStep[] | undefined;
  readonly scores: ScoreFields;
  readonly origin: Origin;
  /** Pointers into the row of `task`, of `branch_index`, and of each of the `steps`. */
  readonly pointers: {
    readonly task: string;
    readonly branchIndex: string;
    readonly steps: readonly string[];
  };
  readonly warnings?: readonly ImportFault[];
  readonly skippedSteps?: number;
}

/** Makes a branch of its parts. */
export function toBranch(parts: BranchParts, settings: ImportSettings): ImportedBranch {
  const { events, eventPointers, finalAnswer, warnings } = parts.transcript.finish();
  const { idPrefix, temperature } = settings;
  const branch: RolloutBranch = {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `${idPrefix}${parts.rolloutId}`,
    task: parts.task,
    branch_index: parts.branchIndex,
    temperature,
    session_id: parts.sessionId,
    tool_call_sequence: [...events],
    final_answer: finalAnswer,
    ...parts.scores,
    ...(parts.steps && { steps: [...parts.steps] }),
    imported_from: parts.origin,
  };
  return {
    kind: "branch",
    branch,
    warnings: [...(parts.warnings ?? []), ...warnings],
    skippedSteps: parts.skippedSteps ?? 0,
    toSourcePointer: (pointer) => toSourcePointer(pointer, parts.pointers, eventPointers),
  };
}

function toSourcePointer(
  pointer: string,
  pointers: BranchParts["pointers"],
  events: readonly string[],
): string {
  const [, field, index, ...below] = pointer.split("/");
  if (field === "task") return pointers.task;
  if (field === "branch_index") return pointers.branchIndex;
  if (field === "tool_call_sequence") return events[Number(index)] ?? "";
  if (field === "steps") return [pointers.steps[Number(index)] ?? "", ...below].join("/");
  return field === "imported_from" && index === "record" ? ["", ...below].join("/") : "";
}
