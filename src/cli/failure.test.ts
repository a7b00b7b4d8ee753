import { expect, test } from "vitest";
import { TextSink } from "../base/testing/run-in-folder.js";
import { EXIT } from "../base/user-error.js";
import { describeFailure, reportFailure } from "./failure.js";

const systemError = (fields: object): Error => Object.assign(new Error("system"), fields);

test.each([
  [systemError({ code: "EMFILE", syscall: "open" }), "too many files are open: "],
  [systemError({ code: "ENFILE", syscall: "open" }), "too many files are open: "],
  [systemError({ code: "ENOENT", syscall: "uv_cwd" }), "the current folder was removed: "],
  [new EvalError("Code generation from strings disallowed"), "Node may not generate code, "],
])("%s is not a bug, wherever it is thrown", (error, message) => {
  expect(describeFailure(error).startsWith(message)).toBe(true);
  const stderr = new TextSink();
  expect(reportFailure(error, stderr, {})).toBe(EXIT.unreadable);
  expect(stderr.text).toMatch(/^[^\n]+\n$/);
});

test("what Deno denies is not a bug, even the variable that asks for the stack", () => {
  const denied = (access: string): Error =>
    systemError({ name: "NotCapable", message: `Requires ${access}, run again with the flag` });
  const env = {
    get DEBUG(): string {
      throw denied("env access");
    },
  };
  const stderr = new TextSink();
  expect(reportFailure(denied("read access"), stderr, env)).toBe(EXIT.unreadable);
  expect(stderr.text).toBe("denied by Deno: Requires read access, run again with the flag\n");
});

test.each([systemError({ code: "ENOENT", syscall: "open" }), new TypeError("x is undefined")])(
  "%s is a bug",
  (error) => {
    expect(describeFailure(error)).toMatch(/^bug in rollout-wire: /);
    expect(reportFailure(error, new TextSink(), {})).toBe(EXIT.bug);
  },
);
