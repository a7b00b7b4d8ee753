import fc from "fast-check";
import { expect, test } from "vitest";
import type { RolloutBranch } from "#generated/index.js";
import { buildPasses } from "./build-passes.js";
import { createCaptured } from "./testing/create-captured.js";

const verdictOn = (build_result: RolloutBranch["build_result"]) =>
  buildPasses(createCaptured({ build_result }));

test.each([
  { status: "pass" },
  { status: "success", duration_ms: 412 },
  { status: "SUCCESS" },
  { ok: true },
  { success: true },
  { passed: true },
  { exitCode: 0 },
  { exit_code: 0, exitCode: null },
  { ok: true, status: "passed", exitCode: 0 },
  { status: "pass", checks: [{ name: "a", passed: true }, { name: "b" }, "c"] },
])("%j passes", (result) => {
  expect(verdictOn(result)).toBe("pass");
});

test.each([
  { status: "fail" },
  { status: "error" },
  { ok: false },
  { success: false },
  { exitCode: 1 },
  { exitCode: -1, status: "failed" },
  { status: "fail", checks: [{ passed: true }, { passed: false }] },
  { checks: [{ passed: true }, { passed: false }] },
])("%j fails", (result) => {
  expect(verdictOn(result)).toBe("fail");
});

test.each([
  { status: "running" },
  { status: "unknown" },
  { status: "timeout" },
  { status: "running", ok: true },
  { status: "success", exitCode: 1 },
  { status: "fail", ok: true },
  { ok: true, success: false },
  { status: "pass", checks: [{ passed: true }, { passed: false }] },
  { status: "pass", checks: [{ status: "running" }] },
])("%j is unknown", (result) => {
  expect(verdictOn(result)).toBe("unknown");
});

test.each([
  undefined,
  null,
  {},
  { log: "0 errors" },
  { status: "skip" },
  { status: "constructor" },
  { status: true },
  { status: 0 },
  { ok: "true" },
  { ok: 1 },
  { exitCode: "0" },
  { exitCode: 0.5 },
  { ok: true, status: "skip" },
  { checks: [] },
  { checks: [{ passed: true }] },
])("%j says nothing", (result) => {
  expect(verdictOn(result)).toBeUndefined();
});

test("a pass survives no field that says otherwise", () => {
  const passing = fc.subarray<[string, unknown]>(
    [
      ["status", "pass"],
      ["ok", true],
      ["exitCode", 0],
    ],
    { minLength: 1 },
  );
  const objection = fc.constantFrom<[string, unknown]>(
    ["success", false],
    ["passed", "maybe"],
    ["exit_code", 2],
    ["checks", [{ ok: false }]],
  );
  fc.assert(
    fc.property(passing, objection, (fields, other) => {
      expect(verdictOn(Object.fromEntries(fields))).toBe("pass");
      expect(verdictOn(Object.fromEntries([...fields, other]))).not.toBe("pass");
    }),
  );
});
