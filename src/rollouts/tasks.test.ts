import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { fromAnswer, toAnswer } from "./tasks.js";

describe("Answer", () => {
  test("a result is handed on, whatever it is", async () => {
    const result = { mistake: "none" };
    expect(fromAnswer(await toAnswer(Promise.resolve(result)))).toEqual(result);
    expect(fromAnswer(await toAnswer(Promise.resolve(undefined)))).toBeUndefined();
  });

  test("a user's mistake survives being cloned, with its exit code", async () => {
    const answer = await toAnswer(
      Promise.reject(new UserError("a.jsonl: no such file", EXIT.usage)),
    );
    const error = await Promise.resolve(structuredClone(answer)).then(fromAnswer).catch(identity);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ message: "a.jsonl: no such file", exitCode: EXIT.usage });
  });

  test("a bug is thrown", async () => {
    const bug = new TypeError("a bug");
    await expect(toAnswer(Promise.reject(bug))).rejects.toBe(bug);
  });

  const identity = (error: unknown): unknown => error;
});
