import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { reportFailure } from "./report-failure.js";

function report(error: unknown, env: Record<string, string> = {}): [number, string] {
  const stderr = new PassThrough({ encoding: "utf8" });
  const exitCode = reportFailure(error, stderr, env);
  return [exitCode, String(stderr.read())];
}

test("a user's mistake is one line, whatever the file is called", () => {
  expect(report(new UserError("a\nb\u001b[2J: no such file"))).toEqual([
    EXIT.unreadable,
    "a\\u000ab\\u001b[2J: no such file\n",
  ]);
});

test("a bug of ours says how to see the stack", () => {
  expect(report(new TypeError("oops"))).toEqual([
    EXIT.bug,
    "bug in rollout-wire: oops (run with DEBUG=1 for the stack)\n",
  ]);
  expect(report("oops")[0]).toBe(EXIT.bug);
});

test("the stack only when DEBUG is set", () => {
  const error = new UserError("no", EXIT.usage);
  expect(report(error, { DEBUG: "" })).toEqual([EXIT.usage, "no\n"]);
  const [exitCode, text] = report(error, { DEBUG: "1" });
  expect(exitCode).toBe(EXIT.usage);
  expect(text).toMatch(/^no\nUserError: no\n {4}at /);
});
