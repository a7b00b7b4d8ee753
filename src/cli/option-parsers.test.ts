import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { DEFAULT_WEIGHTS } from "../rollouts/wire/scoring/score.js";
import { parseCount, parseRatio } from "./option-parsers.js";
import { parseWeights } from "./rollout-options.js";

describe("parseCount", () => {
  test.each([
    ["0", 0],
    ["007", 7],
    ["1700000000000", 1_700_000_000_000],
  ])("%s", (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  test.each(["", "-1", "1.5", "1e3", "0x10", " 1", "ten", "9007199254740993"])("not %j", (text) => {
    expect(() => parseCount(text)).toThrow(InvalidArgumentError);
  });
});

describe("parseRatio", () => {
  test.each([
    ["0", 0],
    ["0.05", 0.05],
    [".5", 0.5],
    ["1", 1],
    ["1.00", 1],
  ])("%s", (text, ratio) => {
    expect(parseRatio(text)).toBe(ratio);
  });

  test.each(["", "-0.1", "1.01", "5%", "1e-3", "0x1", " 1", "0.", "NaN"])("not %j", (text) => {
    expect(() => parseRatio(text)).toThrow(
      new InvalidArgumentError("It must be a number from 0 to 1."),
    );
  });
});

describe("parseWeights", () => {
  test.each([
    ["objective=1,judge=0.3", DEFAULT_WEIGHTS],
    ["judge=.5,objective=2", { objective: 2, judge: 0.5 }],
    ["objective=0,judge=1e-1", { objective: 0, judge: 0.1 }],
  ])("%s", (text, weights) => {
    expect(parseWeights(text)).toEqual(weights);
  });

  test.each([
    ...["", "1,0.3", "objective=1,judge=0.3,", "objective=1,juge=0.3", "objective=1, judge=0.3"],
    ...["constructor=1", "objective=1", "judge=0.3", "judge=1,objective=1,judge=1"],
    ...["objective=-1,judge=1", "objective=NaN,judge=1", "objective=0x1,judge=1"],
    ...["objective=,judge=1", "objective=1=2,judge=1", "objective=1\n,judge=1"],
    ...["objective=1e999,judge=1", "objective=0,judge=0", "judge=1,judge=1"],
  ])("not %j", (text) => {
    expect(() => parseWeights(text)).toThrow(
      new InvalidArgumentError(
        "Write objective=NUMBER,judge=NUMBER: two decimal numbers from 0, not both 0.",
      ),
    );
  });
});
