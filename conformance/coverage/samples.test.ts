import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { readOwnSchemas } from "../../src/contract/codegen/front/own-schemas.js";
import { linkTypes } from "../../src/contract/codegen/testing/link-types.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { Judge } from "../judge.js";
import { completeSample, createSample, MAX_DERIVED_LENGTH } from "./samples.js";

const { definitions } = readOwnSchemas(packageRoot());

const judge = new Judge(definitions);

test.each([...definitions.values()])("the sample of $name is valid", ({ name, node }) => {
  expect(judge.findFaults(name, createSample(node, definitions))).toEqual([]);
});

test.each([
  ["^sha256:[0-9a-f]{64}$", 71],
  ["^[0-9a-f]{16}$", 16],
  ["^(/|$)", 0],
  ["^v(?:0|[1-9][0-9]*)\\.\\d+(-[a-z]{2,})?$", 4],
  ["^[^a0-]+$", 1],
  ["^(?<year>[0-9]{4})-W[0-9]{2}$", 8],
  ["^.{3}\\s\\S\\w$", 6],
  ["^(?!/)[a-z/]+$", 1],
  ["^\\p{Lu}$", 1],
])("the shortest text that matches %s", (pattern, length) => {
  const text = createSample({ type: "string", pattern }, definitions);
  expect(text).toMatch(new RegExp(pattern, "u"));
  expect(text).toHaveLength(length);
});

test("a text that matches a pattern and has the minimum length", () => {
  expect(createSample({ type: "string", pattern: "^[bc]*$", minLength: 3 }, definitions)).toBe(
    "bbb",
  );
});

test.each(["^(a*)b\\1$", "(?=a)b", "^a{99999}$"])("no text is derived for %s", (pattern) => {
  expect(createSample({ type: "string", pattern }, definitions)).toBe("");
});

test("a definition that requires itself has no finite value", () => {
  const looped = linkTypes({
    Loop: { type: "object", properties: { next: { $ref: "#/$defs/Loop" } }, required: ["next"] },
  });
  expect(() => createSample({ $ref: "Loop" }, looped)).toThrow("Loop > Loop requires itself");
});

test.each([
  { type: "string", minLength: 1e12 },
  { type: "array", minItems: 1e9 },
] as const)("no sample for excessive minimum lengths: %j", (node) => {
  expect(createSample(node, definitions)).toHaveLength(MAX_DERIVED_LENGTH);
});

test("definitions that meet in exponentially many places are completed in some of them", () => {
  const layers = Array.from({ length: 40 }, (_, at) => {
    const next = { $ref: `#/$defs/L${at + 1}` };
    const layer: SchemaNode = { type: "object", properties: { a: next, b: next } };
    return [`L${at}`, layer];
  });
  const last: SchemaNode = { type: "object", properties: { x: { type: "string" } } };
  const diamond = linkTypes({ ...Object.fromEntries(layers), L40: last });
  const complete = JSON.stringify(completeSample({}, { $ref: "L0" }, diamond));
  const count = complete.match(/"a"/g)?.length ?? 0;
  expect(count).toBeGreaterThanOrEqual(40);
  expect(count).toBeLessThan(1_000);
  expect(complete).toContain('"x"');
});
