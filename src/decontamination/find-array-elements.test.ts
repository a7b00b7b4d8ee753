import fc from "fast-check";
import { expect, test } from "vitest";
import { findArrayElements } from "./find-array-elements.js";

test("finds one element per element, on its line", () => {
  const property = fc.property(
    fc.array(fc.jsonValue()),
    fc.constantFrom(0, 1, "\t"),
    (value, indent) => {
      const json = ` \n${JSON.stringify(value, null, indent)}\n`;
      const elements = findArrayElements(json);
      expect(elements).toHaveLength(value.length);
      elements.forEach(({ line, start }, index) => {
        expect(line).toBe(json.slice(0, start).split("\n").length);
        const source = JSON.stringify(value[index], null, indent);
        const end = elements[index + 1]?.start ?? json.lastIndexOf("]");
        expect(JSON.parse(json.slice(start, end).trim().replace(/,$/, ""))).toEqual(
          JSON.parse(source),
        );
      });
    },
  );
  fc.assert(property);
});

test("is not misled by brackets, commas and quotes in strings", () => {
  const json = '["a,]\\"[",\n["x", {"y": "}"}], "z\\\\"]';
  expect(findArrayElements(json)).toEqual([
    { line: 1, start: 1 },
    { line: 2, start: json.indexOf('["x"') },
    { line: 2, start: json.indexOf('"z') },
  ]);
});

test("finds none in an empty array", () => {
  expect(findArrayElements("[\n]")).toEqual([]);
});
