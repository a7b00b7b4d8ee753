import { type ExitCode, UserError } from "../../base/user-error.js";
import type { CheckJob } from "../wire/validation/check-block.js";
import type { BlockJob, ScatteredJob } from "./build-block.js";
import { createBuilder } from "./create-builder.js";
import type { RedactJob } from "./redact/redact-block.js";

const all = {
  async checkBlock(job: CheckJob) {
    const { checkBlock } = await import("../wire/validation/check-block.js");
    if (job.aids === undefined) return checkBlock(job);
    const { loadAids } = await import("./row-aids.js");
    return checkBlock(job, await loadAids(job.aids));
  },
  async buildBlock(job: BlockJob) {
    const { buildBlock } = await import("./build-block.js");
    return buildBlock(job, await createBuilder(job.plan.builder));
  },
  async buildScattered(job: ScatteredJob) {
    const { buildScattered } = await import("./build-block.js");
    return buildScattered(job, await createBuilder(job.plan.builder));
  },
  async redactBlock(job: RedactJob) {
    const { redactBlock } = await import("./redact/redact-block.js");
    return redactBlock(job);
  },
};

type All = typeof all;

/** Argument of each task; plain data. */
export type Jobs = { readonly [Name in keyof All]: Parameters<All[Name]>[0] };

/** Result of each task; plain data. */
export type Results = { readonly [Name in keyof All]: Awaited<ReturnType<All[Name]>> };

/** The tasks that any thread can run. A task loads its module on first use, so `validate` loads no exporter. */
export const tasks: { readonly [Name in keyof All]: (job: Jobs[Name]) => Promise<Results[Name]> } =
  all;

/** The message that a thread sends back. Errors lose their class when they are cloned, but a UserError must keep it. */
export type Answer<Result> =
  | { readonly result: Result }
  | { readonly mistake: string; readonly exitCode: ExitCode };

/** Waits for a task and returns its result or its UserError. Rethrows any other error, which is a bug. */
export async function toAnswer<Result>(task: Promise<Result>): Promise<Answer<Result>> {
  try {
    return { result: await task };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { mistake: error.message, exitCode: error.exitCode };
  }
}

/** Returns the result, or throws the UserError. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ("result" in answer) return answer.result;
  throw new UserError(answer.mistake, answer.exitCode);
}
