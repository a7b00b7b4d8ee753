import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectiveStatus, Open, RolloutBranch } from "#generated/index.js";
import {
  allPass,
  buildPasses,
  combineVerdicts,
  type ObjectiveVerifier,
  readObjective,
} from "./objective.js";
import { createCaptured } from "./testing/create-captured.js";

describe("readObjective", () => {
  const read = (fields: Partial<Open<RolloutBranch>>, verifier: ObjectiveVerifier = buildPasses) =>
    readObjective(createCaptured(fields), verifier);

  const neverAsked: ObjectiveVerifier = () => {
    throw new Error("asked although a verdict was captured");
  };

  test.each<[Partial<Open<RolloutBranch>>, 0 | 1, ObjectiveStatus | undefined]>([
    [{ objective_score: 1 }, 1, undefined],
    [{ objective_score: 0 }, 0, undefined],
    [{ objective_status: "pass" }, 1, "pass"],
    [{ objective_status: "fail" }, 0, "fail"],
    [{ objective_status: "unknown" }, 0, "unknown"],
    [{ objective_score: 0, objective_status: "unknown" }, 0, "unknown"],
    [{ objective_score: null, objective_status: "pass" }, 1, "pass"],
    [{ objective_status: "pass", final_answer: "" }, 1, "pass"],
    [{ objective_status: "pass", build_result: { status: "pass" } }, 1, "pass"],
    [{ objective_status: "pass", build_result: { status: "skip" } }, 1, "pass"],
    [{ objective_score: 1, build_result: null }, 1, undefined],
    [{ objective_score: 0, build_result: { status: "pass" } }, 0, undefined],
    [{ objective_status: "fail", build_result: { status: "running" } }, 0, "fail"],
  ])("captured: %j", (fields, score, status) => {
    expect(read(fields, neverAsked)).toEqual({ score, status });
  });

  test.each<[Partial<Open<RolloutBranch>>, 0 | 1, ObjectiveStatus | undefined]>([
    [{ build_result: { status: "pass" } }, 1, "pass"],
    [{ build_result: { status: "fail" }, objective_score: null }, 0, "fail"],
    [{ build_result: { status: "running" } }, 0, "unknown"],
    [{ build_result: { ok: true }, final_answer: "" }, 1, "pass"],
  ])("of the verifier: %j", (fields, score, status) => {
    expect(read(fields)).toEqual({ score, status });
  });

  test("a custom verifier can be given", () => {
    expect(read({ build_result: { ok: true } }, () => "fail")).toEqual({
      score: 0,
      status: "fail",
    });
    expect(read({}, () => "pass")).toEqual({ score: 1, status: "pass" });
  });

  test("a crashed branch scores 0 and has no status", () => {
    expect(read({ final_answer: "", build_result: null })).toEqual({ score: 0, status: undefined });
  });

  test.each<[Partial<Open<RolloutBranch>>, string, string]>([
    [{}, "no-objective", ""],
    [{ build_result: null }, "no-objective", ""],
    [{ build_result: { log: "" } }, "no-objective", ""],
    [{ objective_score: 0.5 }, "objective-score-range", "/objective_score"],
    [{ objective_score: "1" }, "objective-score-range", "/objective_score"],
    [{ objective_score: true }, "objective-score-range", "/objective_score"],
  ])("no verdict: %j", (fields, id, pointer) => {
    expect(read(fields).fault).toMatchObject({ id, pointer });
  });

  test.each<[Partial<Open<RolloutBranch>>, string]>([
    [{ objective_score: 0, objective_status: "pass" }, "status-agrees-with-score"],
    [{ objective_score: 1, objective_status: "fail" }, "status-agrees-with-score"],
    [{ objective_score: 1, objective_status: "unknown" }, "status-agrees-with-score"],
    [{ objective_score: 1, build_result: { status: "fail" } }, "build-agrees-with-score"],
    [{ objective_status: "pass", build_result: { status: "running" } }, "build-agrees-with-score"],
  ])("a contradiction: %j", (fields, id) => {
    expect(read(fields).fault?.id).toBe(id);
  });
});

describe("buildPasses", () => {
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

  test("any field with another verdict overrides a pass", () => {
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
});

describe("allPass", () => {
  const answersFour: ObjectiveVerifier = ({ final_answer }) =>
    final_answer === "four" ? "pass" : "fail";

  test("every verifier receives the branch", () => {
    const verify = allPass([buildPasses, answersFour]);
    const built = createCaptured({ build_result: { ok: true } });
    expect(verify(built)).toBe("pass");
    expect(verify({ ...built, final_answer: "five" })).toBe("fail");
    expect(verify({ ...built, build_result: { ok: false } })).toBe("fail");
  });

  test("a verifier that did not run has not passed", () => {
    expect(allPass([buildPasses, answersFour])(createCaptured())).toBe("unknown");
    expect(allPass([buildPasses])(createCaptured())).toBeUndefined();
  });

  test("an empty list of verifiers is rejected", () => {
    expect(() => allPass([])).toThrow(TypeError);
  });
});

describe("combineVerdicts", () => {
  type Verdict = ObjectiveStatus | undefined;

  test.each<[Verdict[], Verdict]>([
    [["pass", "pass"], "pass"],
    [["pass", "fail"], "fail"],
    [["unknown", "fail", undefined], "fail"],
    [["pass", "unknown"], "unknown"],
    [["pass", undefined], "unknown"],
    [["unknown", undefined], "unknown"],
    [[undefined, undefined], undefined],
    [[], undefined],
  ])("%j gives %s", (verdicts, combined) => {
    expect(combineVerdicts(verdicts)).toBe(combined);
  });

  test("passes if and only if there are verdicts and all of them pass", () => {
    const verdicts = fc.array(fc.constantFrom<Verdict>("pass", "fail", "unknown", undefined));
    fc.assert(
      fc.property(verdicts, (all) => {
        const every = all.length > 0 && all.every((verdict) => verdict === "pass");
        expect(combineVerdicts(all) === "pass").toBe(every);
      }),
    );
  });
});
