import { describe, expect, test } from "vitest";
import { ROLLOUT_BRANCH_SCHEMA_VERSION as PRESENT } from "#generated/index.js";
import type { JsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import { readOwnSchemas } from "../../../contract/codegen/front/own-schemas.js";
import { declaredIn } from "../../../contract/schemas/definitions.js";
import { exportRollouts } from "../export/export-rollouts.js";
import { createBranch } from "../export/testing/create-branch.js";
import { BRANCH_TYPES, checkStructure, isBranchType } from "./structure.js";

describe("isBranchType", () => {
  test("branch types are the entry types that require a branch_index", () => {
    const { definitions } = readOwnSchemas(packageRoot());
    const branchTypes = [...definitions.values()]
      .filter(({ name, schema }) => schema.entryTypes.includes(name))
      .filter(({ node }) => declaredIn(node, definitions).required.includes("branch_index"))
      .map(({ name }) => name);
    expect(branchTypes.toSorted()).toEqual(BRANCH_TYPES.toSorted());
    expect(branchTypes.every(isBranchType)).toBe(true);
    expect(isBranchType("PpoRecord")).toBe(false);
  });
});

test("rows that an export wrote for a trainer are named as such, and faulty records of the layers are not", () => {
  const other = { branch_index: 1, rank: 2, total_score: 0, final_answer: "another" };
  const branches = [createBranch(), createBranch(other)];
  const findIds = (record: JsonObject) => checkStructure(record).faults.map(({ id }) => id);
  for (const target of ["trl", "trl-kto", "trl-sft", "llama-factory"] as const) {
    const { dpo, ppo, sft } = exportRollouts(branches, { target });
    const rows: JsonObject[] = JSON.parse(JSON.stringify([...dpo, ...ppo, ...sft]));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(findIds(row)).toEqual(["not-a-branch"]);
  }
  for (const target of ["wire", "training"] as const) {
    const { dpo, ppo } = exportRollouts(branches, { target });
    const rows: JsonObject[] = JSON.parse(JSON.stringify([...dpo, ...ppo]));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(findIds(row)).toEqual([]);
      for (const field of Object.keys(row)) {
        const { [field]: _, ...others } = row;
        expect(findIds(others).length).toBeGreaterThan(0);
        expect(findIds(others)).not.toContain("not-a-branch");
      }
    }
  }
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
    expect(checkStructure(record, "DpoRecord")).toMatchObject({
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
          cause: "must be an object",
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
          message: "no type fits: it has no field that a type requires; name a type with --type",
        },
      ],
    });
    expect(checkStructure({ prompts: {} }, "RolloutTraceStep").faults).toEqual([]);
  });

  const messagesOf = (...given: Parameters<typeof checkStructure>): string[] =>
    checkStructure(...given).faults.map(({ message }) => message);
  const dpo = { prompt: "a", chosen: "b", rejected: "c" };

  test("a record that lacks fields names the type that it was taken for", () => {
    expect(messagesOf({ ...dpo, rejected: 1 })).toEqual([
      'closest to DpoRecord: lacks "tool_call_sequence"',
      'closest to DpoRecord: lacks "provenance"',
      "closest to DpoRecord: must be a string, is 1",
    ]);
    expect(messagesOf(dpo, "DpoRecord")).toEqual([
      'lacks "tool_call_sequence"',
      'lacks "provenance"',
    ]);
  });

  test("no type fits a record that lacks more than it has", () => {
    expect(messagesOf({ prompt: "a", completion: "b", extra: 1 })).toEqual([
      "no type fits: the closest, PpoRecord, also requires reward, tool_call_sequence, provenance; name a type with --type",
    ]);
    expect(messagesOf({ task: "a" })).toEqual([
      expect.stringMatching(
        /^no type fits: the closest, RolloutBranch, also requires (?:\w+, ){3}\w+ and \d+ more; name a type/,
      ),
    ]);
  });

  test("a schema_version counts for the guess, and says why it is not enough", () => {
    const [later, latest] = [1, 2].map((step) =>
      PRESENT.replace(/\d+$/, (major) => `${+major + step}`),
    );
    const tie = { prompt: "a", provenance: {}, schema_version: PRESENT };
    expect(messagesOf({ ...tie, messages: [] })[0]).toBe('closest to DpoRecord: lacks "chosen"');
    expect(messagesOf({ ...dpo, schema_version: latest })).toEqual([
      `closest to DpoRecord (schema_version "${latest}": a newer version than the ${PRESENT} of this program): lacks "tool_call_sequence"`,
      'closest to DpoRecord: lacks "provenance"',
    ]);
    expect(messagesOf({ a: 1, schema_version: "acme/v1" })).toEqual([
      'no type fits: it has no field that a type requires; schema_version "acme/v1": an unknown schema; name a type with --type',
    ]);
    const branch = { ...createBranch(), schema_version: later };
    const newer = `must be "${PRESENT}", is "${later}", a newer version than the ${PRESENT} of this program`;
    expect(messagesOf(branch)).toEqual([newer]);
    expect(messagesOf(branch, "RolloutBranchRecord")).toEqual([newer]);
  });

  test("a schema_version makes no valid record invalid", () => {
    const record = { messages: [], reward: 0, loss_weight_tokens: "default", provenance: {} };
    const plain = checkStructure(record);
    const versioned = checkStructure({ ...record, schema_version: PRESENT, prompt: "" });
    expect(versioned).toEqual(plain);
    expect(plain.type).toBe("PpoTrainingRecord");
  });

  test("a record of another kind than a branch has one fault", () => {
    const training = { messages: [], reward: 0, loss_weight_tokens: "default", provenance: {} };
    const foreign = (message: string) => ({
      type: undefined,
      faults: [{ id: "not-a-branch", pointer: "", message }],
    });
    for (const type of BRANCH_TYPES) {
      expect(checkStructure(training, type)).toEqual(
        foreign(
          "is a PpoTrainingRecord, not a branch: give the branches that it was exported from",
        ),
      );
      expect(checkStructure(dpo, type)).toEqual(
        foreign(
          "is closest to a DpoRecord, not a branch: give the branches that it was exported from",
        ),
      );
    }
    expect(checkStructure({ a: 1 }, "RolloutBranch").faults.length).toBeGreaterThan(1);
  });
});
