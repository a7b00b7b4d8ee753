import { expect, test } from "vitest";
import { RawJson, toJsonText } from "./protocol.js";

test.each(["1.0", "1e400", '"\\ud800"', "[[]]", '{"a":1,"a":2}', '"a\\"b"'])(
  "%s is printed unchanged",
  (text) => {
    expect(toJsonText({ a: [new RawJson(text)], b: "x" })).toBe(`{"a":[${text}],"b":"x"}`);
    expect(toJsonText(new RawJson(text))).toBe(text);
  },
);

test("everything else is printed as by JSON.stringify", () => {
  const record = { a: 'raw:1.0 "\\', b: [null, true], c: "\u2028" };
  expect(toJsonText(record)).toBe(JSON.stringify(record));
});
