import { expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { type Definitions, linkDefinitions } from "../schemas/link-definitions.js";
import { loadSchemas } from "../schemas/load-schemas.js";
import { createSample } from "./create-sample.js";
import { findFailures } from "./find-failures.js";
import { MAX_DERIVED_LENGTH } from "./max-derived-length.js";

const definitions: Definitions = linkDefinitions(loadSchemas(HOME));

test.each([...definitions.values()])("the sample of $name is valid", ({ node }) => {
  expect([...findFailures(node, createSample(node, definitions), { definitions })]).toEqual([]);
});

test("a definition that requires itself has no finite value", () => {
  const [first] = definitions.values();
  if (first === undefined) throw new Error("there are no definitions");
  const node = {
    type: "object",
    properties: { next: { $ref: "Loop" } },
    required: ["next"],
  } as const;
  const looped = new Map([["Loop", { ...first, name: "Loop", node }]]);
  expect(() => createSample(node, looped)).toThrow("Loop > Loop requires itself");
});

test.each([
  { type: "string", minLength: 1e12 },
  { type: "array", minItems: 1e9 },
] as const)("what must be longer than anybody reads is cut: %j", (node) => {
  expect(createSample(node, definitions)).toHaveLength(MAX_DERIVED_LENGTH);
});
