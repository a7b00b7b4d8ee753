import { describe, expect, test } from "vitest";
import { HOME } from "../../scripts/run-script.js";
import { type Definitions, linkDefinitions } from "../schemas/definitions.js";
import { readSchemas } from "../schemas/load.js";
import { linkTypes } from "../schemas/testing/link-types.js";
import { findFailures } from "./mutants.js";
import { createSample, MAX_DERIVED_LENGTH, samplePattern } from "./samples.js";

describe("createSample", () => {
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
});

describe("samplePattern", () => {
  test.each([
    "^sha256:[0-9a-f]{64}$",
    "^[0-9a-f]{16}$",
    "^(/|$)",
    "^v(?:0|[1-9][0-9]*)\\.\\d+(-[a-z]{2,})?$",
    "^[^a0-]+$",
    "^(?<year>[0-9]{4})-W[0-9]{2}$",
    "^.{3}\\s\\S\\w$",
  ])("%s is matched by its sample", (source) => {
    expect(samplePattern(source) ?? "no sample").toMatch(new RegExp(source, "u"));
  });

  test.each(["(?=a)b", "\\p{L}+", "(a", "a{2", "(a{9999}){9999}"])(
    "%s is not understood",
    (source) => {
      expect(samplePattern(source)).toBeUndefined();
    },
  );
});
