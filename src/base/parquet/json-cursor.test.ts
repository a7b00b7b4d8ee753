import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonCursor } from "./json-cursor.js";

function cursorOf(text: string): JsonCursor {
  return new JsonCursor(Buffer.from(text));
}

test("the text of any value is taken as it is, whatever follows", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("", " ", "\t"), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(cursorOf(`${space}${text}${space},1]`).takeText().toString()).toBe(text);
    }),
  );
});

test("members and elements, with space anywhere", () => {
  const cursor = cursorOf(' { "a\\u0062" : [ 1 , "x" , [] ] , "c":{} } ');
  const found: [string, unknown][] = [];
  for (const key of cursor.members()) {
    if (key === "ab") {
      const items: string[] = [];
      for (const _ of cursor.elements()) items.push(cursor.takeText().toString());
      found.push([key, items]);
    } else found.push([key, cursor.takeText().toString()]);
  }
  expect(found).toEqual([
    ["ab", ["1", '"x"', "[]"]],
    ["c", "{}"],
  ]);
});

test("a string comes decoded", () => {
  expect(cursorOf('"é😀"').takeString().toString()).toBe("é😀");
  expect(cursorOf('"\\"\\\\\\n\\ud83d\\ude00"').takeString().toString()).toBe('"\\\n😀');
  expect(cursorOf('"\\\\","x"').takeString().toString()).toBe("\\");
});

test("null is told from other values", () => {
  const cursor = cursorOf("[null,0]");
  const found: unknown[] = [];
  for (const _ of cursor.elements()) {
    found.push(cursor.takeNull() ? null : cursor.takeText().toString());
  }
  expect(found).toEqual([null, "0"]);
});

test("what is no value of the expected kind is named", () => {
  expect(() => cursorOf("1").takeString()).toThrow('expected a string, found "1"');
  expect(() => [...cursorOf("[]").members()]).toThrow("expected an object");
  expect(() => cursorOf('"abc').takeText()).toThrow("expected the end of a string");
  expect(() => cursorOf("[[]").takeText()).toThrow("expected the end of an object or array");
  expect(() => cursorOf("}").takeText()).toThrow("expected a value");
});
