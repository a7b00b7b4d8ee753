import { expect, test } from "vitest";
import { UserError } from "../../../user-error.js";
import { parseScoreRange } from "./parse-score-range.js";

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
