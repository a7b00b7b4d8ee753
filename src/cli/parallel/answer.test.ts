import { expect, test } from "vitest";
import { EXIT, UserError } from "../../user-error.js";
import { fromAnswer, toAnswer } from "./answer.js";

test("a result is handed on, whatever it is", () => {
  expect(fromAnswer(toAnswer(() => ({ mistake: "none" })))).toEqual({ mistake: "none" });
  expect(fromAnswer(toAnswer(() => undefined))).toBeUndefined();
});

test("a user's mistake survives being cloned, with its exit code", () => {
  const answer = toAnswer((): never => {
    throw new UserError("a.jsonl: no such file", EXIT.usage);
  });
  const error = catchError(() => fromAnswer(structuredClone(answer)));
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ message: "a.jsonl: no such file", exitCode: EXIT.usage });
});

test("a bug is thrown at once", () => {
  const bug = new TypeError("a bug");
  const task = () => {
    throw bug;
  };
  expect(catchError(() => toAnswer(task))).toBe(bug);
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
