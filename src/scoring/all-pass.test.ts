import { expect, test } from "vitest";
import { allPass } from "./all-pass.js";
import { buildPasses } from "./build-passes.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { createCaptured } from "./testing/create-captured.js";

const answersFour: ObjectiveVerifier = ({ final_answer }) =>
  final_answer === "four" ? "pass" : "fail";

test("every verifier is asked about the branch", () => {
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

test("no verifiers are refused", () => {
  expect(() => allPass([])).toThrow(TypeError);
});
