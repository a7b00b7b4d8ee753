import { expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { type Definitions, linkDefinitions } from "../schemas/link-definitions.js";
import { readSchemas } from "../schemas/read-schemas.js";
import { linkTypes } from "../schemas/testing/link-types.js";
import { createSample } from "./create-sample.js";
import { findFailures } from "./find-failures.js";
import { MAX_DERIVED_LENGTH } from "./max-derived-length.js";

const definitions: Definitions = linkDefinitions(readSchemas(HOME));

test.each([...definitions.values()])("the sample of $name is valid", ({ node }) => {
  expect([...findFailures(node, createSample(node, definitions), { definitions })]).toEqual([]);
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
] as const)("what must be longer than anybody reads is cut: %j", (node) => {
  expect(createSample(node, definitions)).toHaveLength(MAX_DERIVED_LENGTH);
});
