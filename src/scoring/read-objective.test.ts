import { expect, test } from "vitest";
import type { ObjectiveStatus, RolloutBranch } from "#generated/index.js";
import { buildPasses } from "./build-passes.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { readObjective } from "./read-objective.js";
import { createCaptured } from "./testing/create-captured.js";

const read = (fields: Partial<RolloutBranch>, verifier: ObjectiveVerifier = buildPasses) =>
  readObjective(createCaptured(fields), verifier);

const neverAsked: ObjectiveVerifier = () => {
  throw new Error("asked although a verdict was captured");
};

test.each<[Partial<RolloutBranch>, 0 | 1, ObjectiveStatus | undefined]>([
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

test.each<[Partial<RolloutBranch>, 0 | 1, ObjectiveStatus | undefined]>([
  [{ build_result: { status: "pass" } }, 1, "pass"],
  [{ build_result: { status: "fail" }, objective_score: null }, 0, "fail"],
  [{ build_result: { status: "running" } }, 0, "unknown"],
  [{ build_result: { ok: true }, final_answer: "" }, 1, "pass"],
])("of the verifier: %j", (fields, score, status) => {
  expect(read(fields)).toEqual({ score, status });
});

test("another verifier may be asked", () => {
  expect(read({ build_result: { ok: true } }, () => "fail")).toEqual({ score: 0, status: "fail" });
  expect(read({}, () => "pass")).toEqual({ score: 1, status: "pass" });
});

test("a crashed branch has not passed, and no verifier said so", () => {
  expect(read({ final_answer: "", build_result: null })).toEqual({ score: 0, status: undefined });
});

test.each<[Partial<RolloutBranch>, string, string]>([
  [{}, "no-objective", ""],
  [{ build_result: null }, "no-objective", ""],
  [{ build_result: { log: "" } }, "no-objective", ""],
  [{ objective_score: 0.5 }, "objective-score-range", "/objective_score"],
  [{ objective_score: "1" }, "objective-score-range", "/objective_score"],
  [{ objective_score: true }, "objective-score-range", "/objective_score"],
])("no verdict: %j", (fields, id, pointer) => {
  expect(read(fields).fault).toMatchObject({ id, pointer });
});

test.each<[Partial<RolloutBranch>, string]>([
  [{ objective_score: 0, objective_status: "pass" }, "status-agrees-with-score"],
  [{ objective_score: 1, objective_status: "fail" }, "status-agrees-with-score"],
  [{ objective_score: 1, objective_status: "unknown" }, "status-agrees-with-score"],
  [{ objective_score: 1, build_result: { status: "fail" } }, "build-agrees-with-score"],
  [{ objective_status: "pass", build_result: { status: "running" } }, "build-agrees-with-score"],
])("a contradiction: %j", (fields, id) => {
  expect(read(fields).fault?.id).toBe(id);
});
