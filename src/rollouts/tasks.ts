import { type ExitCode, UserError } from "../user-error.js";
import type { CheckedBlock, CheckJob } from "../validation/check-block.js";
import type { BlockJob, BuiltBlock, BuiltScattered, ScatteredJob } from "./build-block.js";
import { createBuilder } from "./create-builder.js";

/** What each task takes; plain data. */
export interface Jobs {
  readonly checkBlock: CheckJob;
  readonly buildBlock: BlockJob;
  readonly buildScattered: ScatteredJob;
}

/** What each task gives; plain data. */
export interface Results {
  readonly checkBlock: CheckedBlock;
  readonly buildBlock: BuiltBlock;
  readonly buildScattered: BuiltScattered;
}

export type Tasks = {
  readonly [Name in keyof Jobs]: (job: Jobs[Name]) => Promise<Results[Name]>;
};

/** What any thread can do. A task loads its module when it first runs: `validate` loads no exporter. */
export const tasks: Tasks = {
  async checkBlock(job) {
    const { checkBlock } = await import("../validation/check-block.js");
    return checkBlock(job);
  },
  async buildBlock(job) {
    const { buildBlock } = await import("./build-block.js");
    return buildBlock(job, await createBuilder(job.plan.builder));
  },
  async buildScattered(job) {
    const { buildScattered } = await import("./build-block.js");
    return buildScattered(job, await createBuilder(job.plan.builder));
  },
};

/** What a thread sends back: errors lose their class on the way, and a UserError must not. */
export type Answer<Result> =
  | { readonly result: Result }
  | { readonly mistake: string; readonly exitCode: ExitCode };

/** Waits for a task and gives its result or its UserError; rethrows any other error, which is a bug. */
export async function toAnswer<Result>(task: Promise<Result>): Promise<Answer<Result>> {
  try {
    return { result: await task };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { mistake: error.message, exitCode: error.exitCode };
  }
}

/** The result; throws the UserError again. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ("result" in answer) return answer.result;
  throw new UserError(answer.mistake, answer.exitCode);
}
