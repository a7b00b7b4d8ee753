import fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectiveStatus } from "#generated/index.js";
import { combineVerdicts } from "./combine-verdicts.js";

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

test("passes exactly when there are verdicts and every one passes", () => {
  const verdicts = fc.array(fc.constantFrom<Verdict>("pass", "fail", "unknown", undefined));
  fc.assert(
    fc.property(verdicts, (all) => {
      const every = all.length > 0 && all.every((verdict) => verdict === "pass");
      expect(combineVerdicts(all) === "pass").toBe(every);
    }),
  );
});
