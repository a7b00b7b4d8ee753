import { describe, expect, test } from "vitest";
import { UserError } from "../../../../base/user-error.js";
import { parseObjective, parseScoreRange } from "./rewards.js";

describe("parseObjective", () => {
  test.each([
    ["reward>0", "reward", [0.1], [0, -1]],
    [" reward >= 0.5 ", "reward", [0.5, 1], [0.4]],
    ["reward<-1e3", "reward", [-1001], [-1000]],
    ["env/all/loss<=0.1", "env/all/loss", [0.1, -1], [0.2]],
    ["correct=1", "correct", [1], [0, 0.9]],
    ["correct==1", "correct", [1], [0]],
    ["/a b/c>+.5", "/a b/c", [0.6], [0.5]],
  ])("%s", (text, metric, passing, failing) => {
    const objective = parseObjective(text);
    expect(objective.metric).toBe(metric);
    for (const value of passing) expect(objective.passes(value)).toBe(true);
    for (const value of failing) expect(objective.passes(value)).toBe(false);
  });

  test("the condition is recorded in normalised form", () => {
    expect(parseObjective(" correct == 1.0 ").text).toBe("correct=1");
  });

  describe("an invalid condition is a usage error", () => {
    test.each([
      "reward",
      ">0",
      "reward>",
      "reward>x",
      "reward>NaN",
      "reward>1e999",
      "a>b>0",
      "reward!=1",
      "reward=>1",
      "",
    ])("%j", (text) => {
      expect(() => parseObjective(text)).toThrow(UserError);
      expect(() => parseObjective(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
    });
  });
});

describe("parseScoreRange", () => {
  test("two numbers, the lower one first", () => {
    expect(parseScoreRange("-1,1")).toEqual([-1, 1]);
    expect(parseScoreRange(" 0 , 1e2")).toEqual([0, 100]);
  });

  test.each(["", "1", "1,1", "1,0", "a,b", "0,1,2", "0,", "0,Infinity", "-1e308,1e308", "0x1,2"])(
    "%j is none",
    (text) => {
      expect(() => parseScoreRange(text)).toThrow(UserError);
    },
  );
});
