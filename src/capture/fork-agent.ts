import type { ObjectiveStatus, RolloutBranch, RolloutTraceStep } from "#generated/index.js";
import type { Recorder } from "./recorder.js";

/** What an agent is told about the branch that it is to run. */
export interface BranchContext {
  /** The task, as the record holds it. */
  readonly task: RolloutBranch["task"];
  /** From 0. */
  readonly branchIndex: RolloutBranch["branch_index"];
  /** With which the agent is to sample. */
  readonly temperature: RolloutBranch["temperature"];
  /** With which the agent is to seed its sampler; null when it need not. */
  readonly seed: number | null;
  /** Of this branch alone, to store its build result under. */
  readonly sessionId: RolloutBranch["session_id"];
  /** Aborts when nobody waits for the answer any more: the time is up, or the run was stopped. */
  readonly signal: AbortSignal;
  /** Takes the tool calls and results of this branch until it has ended. */
  readonly recorder: Recorder;
}

/** The answer of an agent that has more to tell than its text. */
export interface BranchAnswer {
  readonly finalAnswer: RolloutBranch["final_answer"];
  /** What the build or the tests reported: see `buildPasses`. */
  readonly buildResult?: object | null | undefined;
  /** Verdict of verifiers that the agent ran. */
  readonly objectiveStatus?: ObjectiveStatus | undefined;
  /** Traces of its steps. */
  readonly steps?: readonly RolloutTraceStep[] | undefined;
}

/** Any function that works on a task once, and gives its final answer. */
export type ForkAgent = (
  context: BranchContext,
) => string | BranchAnswer | PromiseLike<string | BranchAnswer>;
