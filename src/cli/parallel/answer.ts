import { type ExitCode, UserError } from "../../user-error.js";

/** What a thread sends back: errors lose their class on the way, and a user's mistake must not. */
export type Answer<Result> =
  | { readonly result: Result }
  | { readonly mistake: string; readonly exitCode: ExitCode };

/** Runs a task and gives its result or the user's mistake; throws what is a bug of ours. */
export function toAnswer<Result>(task: () => Result): Answer<Result> {
  try {
    return { result: task() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { mistake: error.message, exitCode: error.exitCode };
  }
}

/** The result, or the user's mistake thrown again. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ("result" in answer) return answer.result;
  throw new UserError(answer.mistake, answer.exitCode);
}
