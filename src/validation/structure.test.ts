import { describe, expect, test } from "vitest";
import { entryTypes } from "#generated/index.js";
import { declaredIn, linkDefinitions } from "../../conformance/schemas/definitions.js";
import { readSchemas } from "../../conformance/schemas/load.js";
import { REPO_ROOT } from "../../scripts/run-script.js";
import { BRANCH_TYPES, checkStructure, inferEntryType, isBranchType } from "./structure.js";

describe("isBranchType", () => {
  test("branch types are the entry types that require a branch_index", () => {
    const schemas = readSchemas(REPO_ROOT);
    const definitions = linkDefinitions(schemas);
    const branchTypes = [...definitions.values()]
      .filter(({ name, schema }) => schema.entryTypes.includes(name))
      .filter(({ node }) => declaredIn(node, definitions).required.includes("branch_index"))
      .map(({ name }) => name);
    expect(branchTypes.toSorted()).toEqual(BRANCH_TYPES.toSorted());
    expect(branchTypes.every(isBranchType)).toBe(true);
    expect(isBranchType("PpoRecord")).toBe(false);
  });
});

describe("checkStructure", () => {
  test("a valid record of the inferred type", () => {
    const record = {
      prompt: "What is 2+2?",
      completion: "four",
      reward: 0.8,
      tool_call_sequence: [],
      provenance: {
        source: "wasmagent-rollout",
        rollout_id: "agent-123-1700000000000",
        branch_index: 0,
        objective_score: 1,
        exported_at_ms: 1700000000000,
        n_gram_hash: "52cb6b5e4a038af1",
      },
    };
    expect(checkStructure(record)).toEqual({ type: "PpoRecord", faults: [] });
    expect(checkStructure(record, "DpoRecord")).toEqual({
      type: "DpoRecord",
      faults: [
        { id: "required", pointer: "", message: 'lacks "chosen"' },
        { id: "required", pointer: "", message: 'lacks "rejected"' },
        { id: "required", pointer: "/provenance", message: 'lacks "chosen_branch"' },
        { id: "required", pointer: "/provenance", message: 'lacks "rejected_branch"' },
        {
          id: "additionalProperties",
          pointer: "/provenance",
          message: 'has "branch_index", which is not allowed here',
        },
        {
          id: "type",
          pointer: "/provenance/objective_score",
          message: "must be an object, is 1",
        },
      ],
    });
  });

  test("a record of unknown type asks for --type, and is checked once it is given", () => {
    expect(checkStructure({ prompts: {} })).toEqual({
      type: undefined,
      faults: [
        {
          id: "anyOf",
          pointer: "",
          message: "its fields match no record type: give one with --type",
        },
      ],
    });
    expect(checkStructure({ prompts: {} }, "RolloutTraceStep").faults).toEqual([]);
  });
});

describe("inferEntryType", () => {
  function withFields(fields: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(fields.map((field) => [field, null]));
  }

  const recognisable = entryTypes.filter(
    ({ inferred, required }) => inferred && required.length > 0,
  );

  test("there are types to infer", () => {
    expect(recognisable.length).toBeGreaterThan(0);
  });

  test.each(recognisable)("a record with the required fields of $name", ({ name, required }) => {
    expect(inferEntryType(withFields(required))).toBe(name);
  });

  test.each(recognisable)(
    "$name is inferred with any one field missing, or as a type whose fields are complete",
    ({ name, required }) => {
      for (const missing of required) {
        const fields = required.filter((field) => field !== missing);
        const inferred = inferEntryType(withFields(fields));
        const complete = recognisable.find((type) => type.name === inferred);
        const lostNothing = complete?.required.every((field) => fields.includes(field)) ?? false;
        expect(inferred === name || lostNothing, `without ${missing}: ${inferred}`).toBe(true);
      }
    },
  );

  test("one field is enough, and the first type in schema order wins a tie", () => {
    expect(inferEntryType({ prompt_messages: [] })).toBe("DpoTrainingRecord");
    expect(inferEntryType({ completion: "" })).toBe("PpoRecord");
    // `prompt` belongs to both Layer 2 records, which require five fields each.
    expect(inferEntryType({ prompt: "" })).toBe("DpoRecord");
  });

  test("an unknown shape has no type, and inherited property names do not count", () => {
    expect(inferEntryType({})).toBeUndefined();
    expect(inferEntryType({ foo: 1, constructor: 2 })).toBeUndefined();
  });

  test("a foreign record is not taken for one of the tool's own", () => {
    expect(inferEntryType({ id: 1, messages: [] })).toBe("PpoTrainingRecord");
    expect(inferEntryType({ id: 1, why: "because" })).toBeUndefined();
  });
});
