import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type EntryTypeName, findErrors, ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { explainAjvError } from "./schema-error.js";

const branch = createBranch({ task: "t" });
const training = {
  messages: [
    { role: "user", content: "t" },
    { role: "assistant", content: "a" },
  ],
  reward: 0.5,
  loss_weight_tokens: "default",
  provenance: { source: "wasmagent-rollout", rollout_id: "r", task_hash: "52cb6b5e4a038af1" },
};

function describeAll(type: EntryTypeName, record: unknown): string[] {
  return findErrors(type, record).map(({ message }) => message);
}

describe("the message of a failed keyword", () => {
  test.each<[string, EntryTypeName, unknown, string[]]>([
    ["enum", "RolloutBranchRecord", { ...branch, objective_score: 7 }, ["must be 0 or 1, is 7"]],
    [
      "enum of three",
      "RolloutBranchRecord",
      { ...branch, objective_status: "success" },
      ['must be "pass", "fail" or "unknown", is "success"'],
    ],
    ["minimum", "RolloutBranchRecord", { ...branch, branch_index: -3 }, ["must be >= 0, is -3"]],
    ["type", "RolloutBranchRecord", { ...branch, rank: "1" }, ['must be an integer, is "1"']],
    ["type", "RolloutBranchRecord", { ...branch, task: ["t"] }, ["must be a string, is an array"]],
    [
      "type, a list",
      "RolloutBranchRecord",
      { ...branch, build_result: false },
      ["must be an object or null, is false"],
    ],
    ["minLength", "RolloutBranchRecord", { ...branch, rollout_id: "" }, ["must not be empty"]],
    [
      "const",
      "RolloutBranchRecord",
      { ...branch, schema_version: "rollout-wire/v0" },
      [`must be "${ROLLOUT_BRANCH_SCHEMA_VERSION}", is "rollout-wire/v0"`],
    ],
    [
      "minItems",
      "PpoTrainingRecord",
      { ...training, messages: [] },
      ["must have at least 2 items, has 0"],
    ],
    [
      "pattern",
      "PpoTrainingRecord",
      { ...training, provenance: { ...training.provenance, task_hash: "52CB" } },
      ['must match ^[0-9a-f]{16}$, is "52CB"'],
    ],
    [
      "additionalProperties",
      "PpoTrainingRecord",
      { ...training, provenance: { ...training.provenance, "\u001b[2J": 1 } },
      [String.raw`has "\u001b[2J", which is not allowed here`],
    ],
  ])("%s", (_keyword, type, record, sentences) => {
    expect(describeAll(type, record)).toEqual(sentences);
  });

  test("required", () => {
    const { task: _, ...rest } = branch;
    expect(describeAll("RolloutBranchRecord", rest)).toEqual(['lacks "task"']);
  });

  test("an unknown keyword gets Ajv's message, escaped", () => {
    const error = {
      keyword: "hasOwnProperty",
      message: "must be \u0007new",
      params: {},
      data: "t",
    };
    expect(explainAjvError(error)).toEqual({
      message: String.raw`must be \u0007new, is "t"`,
      cause: "hasOwnProperty",
    });
  });

  test("Ajv's errors are in the words of generated validators", () => {
    const schema = {
      properties: {
        many: { type: "array", uniqueItems: true, maxItems: 2 },
        some: { anyOf: [{ type: "string" }, { minimum: 2 }] },
        none: false,
        kind: { not: { const: 1 } },
        step: { multipleOf: 2 },
      },
      dependentRequired: { kind: ["a"] },
      maxProperties: 1,
    };
    const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    const validate = ajv.compile(schema);
    validate({ many: [1, 2, 1], some: 1, none: 0, kind: 1, step: 3 });
    const messages = (validate.errors ?? []).map((error) => explainAjvError(error).message);
    expect(messages).toEqual(
      expect.arrayContaining([
        "must not have equal items, items 0 and 2 are equal",
        "must NOT have more than 2 items, is an array",
        "must match one of 2 schemas, is 1",
        "is not allowed here",
        'must not match the schema in "not", is 1',
        "must be a multiple of 2, is 3",
        'lacks "a", which "kind" demands',
        "must have at most 1 property, has 5",
      ]),
    );
  });
});

describe("the cause of a failed keyword", () => {
  const causes = (type: EntryTypeName, record: unknown) =>
    findErrors(type, record).map(({ cause }) => cause);

  test.each<[string, EntryTypeName, object, object]>([
    ["enum", "RolloutBranchRecord", { objective_score: 7 }, { objective_score: 3 }],
    ["minimum", "RolloutBranchRecord", { branch_index: -3 }, { branch_index: -4 }],
    ["type", "RolloutBranchRecord", { rank: "1" }, { rank: ["1"] }],
    ["const", "RolloutBranchRecord", { schema_version: "a" }, { schema_version: 1 }],
    ["minItems", "PpoTrainingRecord", { messages: [] }, { messages: training.messages.slice(1) }],
  ])("%s: the value does not matter", (_keyword, type, one, other) => {
    const record = type === "RolloutBranchRecord" ? branch : training;
    const [cause, ...more] = causes(type, { ...record, ...one });
    expect(cause).not.toContain("undefined");
    expect(causes(type, { ...record, ...other })).toEqual([cause, ...more]);
  });

  test("required: the name of the property", () => {
    expect(causes("RolloutBranch", { ...branch, task: undefined })).toEqual(["task"]);
  });
});
