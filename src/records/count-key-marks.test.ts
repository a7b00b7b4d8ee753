import fc from "fast-check";
import { expect, test } from "vitest";
import { countKeyMarks } from "./count-key-marks.js";
import { measureValue } from "./measure-value.js";

test("marks: as many as keys, or more where a string begins with a colon", () => {
  expect(countKeyMarks('{"a" \t: ":", "b\\\\":1}')).toBe(3);
  expect(countKeyMarks('{"a":"b:","c\\":":0}')).toBe(2);
});

test("no text has fewer marks than keys, and few have more", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const [keys, marks] = [measureValue(value).keys, countKeyMarks(JSON.stringify(value))];
      expect(marks).toBeGreaterThanOrEqual(keys);
      const opening = JSON.stringify(value).split(/[^\\]":/).length;
      expect(marks - keys).toBeLessThanOrEqual(opening);
    }),
    { numRuns: 1000 },
  );
});
