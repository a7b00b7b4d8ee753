import { expect, test } from "vitest";
import { END_OF_BATCH, parseSegment } from "./log.js";

test("batches end at a mark, and at the end of the file", () => {
  const text = `{"a":1}\n{"a":2}\n${END_OF_BATCH}\n{"a":3}\n`;
  expect(parseSegment(text)).toEqual({
    batches: [['{"a":1}', '{"a":2}'], ['{"a":3}']],
    damaged: [],
  });
});

test.each(['{"a":', '{"a":2}', END_OF_BATCH, '["end'])(
  "a torn last line is left out: %s",
  (torn) => {
    expect(parseSegment(`{"a":1}\n${torn}`)).toEqual({ batches: [['{"a":1}']], damaged: [] });
  },
);

test("damaged lines are separate, and the batches keep their numbers", () => {
  const text = `\0\0\n${END_OF_BATCH}\n{"a":1}\n[1]\n\n`;
  expect(parseSegment(text)).toEqual({ batches: [[], ['{"a":1}']], damaged: ["\0\0", "[1]", ""] });
});

test("an empty file has no batches", () => {
  expect(parseSegment("")).toEqual({ batches: [], damaged: [] });
});
