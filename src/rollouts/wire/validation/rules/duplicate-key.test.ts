import { parse, type ValueNode } from "@humanwhocodes/momoa";
import fc from "fast-check";
import { expect, test } from "vitest";
import { duplicateKey } from "./duplicate-key.js";
import { checkText } from "./testing/check-text.js";

function check(text: string) {
  return checkText(duplicateKey, text).map(({ pointer, column }) => [pointer, column]);
}

test("every repeated key, at its position", () => {
  expect(checkText(duplicateKey, '{"a":1,"a":2}')).toEqual([
    { pointer: "/a", column: 8, message: 'a second value under the key "a"' },
  ]);
  expect(check('{"a":1,"a":2,"a":2}')).toEqual([
    ["/a", 8],
    ["/a", 14],
  ]);
  expect(check('{"x":[{"b":{}},{"b" :0 , "b" : 1}]}')).toEqual([["/x/1/b", 26]]);
});

test("keys are compared after unescaping", () => {
  expect(check('{"ab":1,"a\\u0062":2}')).toEqual([["/ab", 9]]);
  expect(check('{"__proto__":1,"__proto__":2}')).toHaveLength(1);
  expect(check('{"":1,"":2}')).toHaveLength(1);
});

test("the same key in other objects, and texts that look like keys", () => {
  expect(check('{"a":{"a":[{"a":1},{"a":1}]}}')).toEqual([]);
  expect(check('{"a":":a","b":"\\":","c":"\\\\","d" :  ":"}')).toEqual([]);
});

test("nesting beyond the call stack does not crash it", () => {
  const deep = `{"a":${"[".repeat(100_000)}{"b":1,"b":2}${"]".repeat(100_000)}}`;
  expect(check(deep)).toHaveLength(1);
});

/** The result of a parser that keeps all members. */
function findSlowly(node: ValueNode, pointer = ""): string[] {
  if (node.type === "Array") {
    return node.elements.flatMap(({ value }, index) => findSlowly(value, `${pointer}/${index}`));
  }
  if (node.type !== "Object") return [];
  const seen = new Set<string>();
  return node.members.flatMap(({ name, value }) => {
    const key = name.type === "String" ? name.value : name.name;
    const isSecond = seen.has(key);
    seen.add(key);
    const own = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [...(isSecond ? [own] : []), ...findSlowly(value, own)];
  });
}

test("it finds the same as a parser that keeps all members", () => {
  const space = fc.constantFrom("", " ", "\t ");
  const key = fc.constantFrom('"a"', '"\\u0061"', '"b"', '":"', '"\\\\"', '"\\":"', '""', '"/~"');
  const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "null", '"x"', '":"', '"\\":"', '"a:"', "-1.5e3"),
      fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
      tie("object"),
    ),
    object: fc
      .array(fc.tuple(key, space, space, tie("value")), { maxLength: 4 })
      .map((members) => `{${members.map(([k, s, t, v]) => `${t}${k}${s}:${t}${v}`).join(",")}}`),
  }));
  let found = 0;
  fc.assert(
    fc.property(value, (text) => {
      const line = `{"root":${text}}`;
      const pointers = check(line).map(([pointer]) => pointer);
      expect(pointers).toEqual(findSlowly(parse(line).body));
      found += pointers.length;
    }),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(100);
});
