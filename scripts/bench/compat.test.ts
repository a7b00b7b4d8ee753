import { describe, expect, test } from "vitest";
import { UserError } from "../../src/base/user-error.js";
import { checkPairs, formatVerdicts, isGreen } from "./compat.js";
import { ownJudge } from "./compat-judges.js";
import { DEFAULT_PAIR_FILES, type Pair, readPairs } from "./compat-pairs.js";

const pair: Pair = {
  id: "T1",
  old: { type: "integer" },
  new: { type: "number" },
  backward: "compatible",
  forward: "breaking",
};
const unknown: Pair = {
  ...pair,
  id: "M5",
  old: { rule: 1 },
  new: { rule: 2 },
};

describe("the bar", () => {
  test("is met by correct verdicts", () => {
    const verdicts = checkPairs([pair], ownJudge);
    expect(verdicts).toMatchObject({ questions: 2, right: 2, witnesses: 1 });
    expect(isGreen(verdicts)).toBe(true);
  });

  test("is missed by a wrong verdict, which is named", () => {
    const verdicts = checkPairs([{ ...pair, forward: "compatible" }], ownJudge);
    expect(isGreen(verdicts)).toBe(false);
    expect(formatVerdicts([verdicts])).toContain("T1 forward: breaking, expected compatible\n");
  });

  test("is missed if too many verdicts are undecided", () => {
    expect(isGreen(checkPairs([pair, unknown], ownJudge))).toBe(false);
    expect(
      isGreen(
        checkPairs([...Array(60).fill(pair), { ...unknown, forward: "undecided" }], ownJudge),
      ),
    ).toBe(true);
  });

  test("is missed by an invalid witness, and without pairs", () => {
    const verdicts = checkPairs([pair], ownJudge);
    const answer = {
      id: "T1",
      direction: "forward",
      expected: "breaking",
      given: "breaking",
    } as const;
    expect(isGreen({ ...verdicts, invalidWitnesses: [answer] })).toBe(false);
    expect(isGreen(checkPairs([], ownJudge))).toBe(false);
  });
});

test("files without pairs are one-line errors", () => {
  expect(readPairs(DEFAULT_PAIR_FILES).length).toBeGreaterThan(300);
  expect(() => readPairs(["package.json"])).toThrow(UserError);
  expect(() => readPairs(["no-such-file.json"])).toThrow(UserError);
});
