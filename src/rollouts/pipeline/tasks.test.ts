import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../base/user-error.js";
import { fromAnswer, toAnswer } from "./tasks.js";

describe("Answer", () => {
  test("any result is passed on", async () => {
    const result = { mistake: "none" };
    expect(fromAnswer(await toAnswer(Promise.resolve(result)))).toEqual(result);
    expect(fromAnswer(await toAnswer(Promise.resolve(undefined)))).toBeUndefined();
  });

  test("a UserError keeps its exit code when it is cloned", async () => {
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
