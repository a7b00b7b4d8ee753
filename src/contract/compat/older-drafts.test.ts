import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { validatorOf } from "./ajv/ajv.js";
import { compareVersions } from "./compare-versions.js";
import { isValid } from "./evaluator/evaluate.js";
import { findBreaks } from "./findings.js";
import { loadVersion } from "./load-version.js";
import { replayCorpus } from "./replay-corpus.js";

const DRAFT_04 = { $schema: "http://json-schema.org/draft-04/schema#" };
const DRAFT_06 = { $schema: "http://json-schema.org/draft-06/schema#" };
const DRAFT_2019 = { $schema: "https://json-schema.org/draft/2019-09/schema" };
const DRAFT_2020 = { $schema: "https://json-schema.org/draft/2020-12/schema" };
const integer = { type: "integer" };
const text = { type: "string" };

function load(schema: object) {
  return loadVersion({ name: "a.json", text: JSON.stringify(schema), others: [] }, "annotate").root;
}

describe("1.0 is no integer in draft-04 (section 3.5 of its core)", () => {
  const object = { properties: { a: integer, b: { items: { type: ["integer", "string"] } } } };

  test.each<[draft: object, text: string, valid: boolean]>([
    [DRAFT_04, '{"a": 1}', true],
    [DRAFT_04, '{"a": 1.0}', false],
    [DRAFT_04, '{"b": ["1.0", -10]}', true],
    [DRAFT_04, '{"b": [1, 1e2]}', false],
    [DRAFT_04, '{"c": 1.0}', true],
    [DRAFT_06, '{"a": 1.0}', true],
  ])("%j %s", (draft, record, valid) => {
    const value: unknown = JSON.parse(record);
    expect(validatorOf(load({ ...draft, ...object })).isValid(value, record)).toBe(valid);
  });

  test("a record that is a number", () => {
    const validator = validatorOf(load({ ...DRAFT_04, ...integer }));
    expect(["1", "1.0", "1"].map((each) => validator.isValid(1, each))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("a corpus is read so, too", async () => {
    const versions = {
      old: load({ ...DRAFT_06, ...object }),
      new: load({ ...DRAFT_04, ...object }),
    };
    const stdin = Readable.from(['{"a": 1}\n{"a": 1.0}\n']);
    const { backward, forward } = await replayCorpus(versions, ["-"], { stdin, cwd: "." });
    expect([backward.accepted, backward.broken, forward.broken]).toEqual([2, 1, 0]);
  });

  test.each<[before: object, after: object, backward: string, forward: string]>([
    [{ ...DRAFT_04, ...integer }, { ...DRAFT_04, ...integer }, "compatible", "compatible"],
    [{ ...DRAFT_04, ...integer }, { ...DRAFT_06, ...integer }, "compatible", "undecided"],
    [{ ...DRAFT_04, enum: [1] }, { ...DRAFT_04, enum: [1], ...integer }, "undecided", "compatible"],
    [
      { ...DRAFT_04, type: ["integer", "string"] },
      { ...DRAFT_04, type: ["integer", "string", "number"] },
      "compatible",
      "breaking",
    ],
    [
      { ...DRAFT_04, oneOf: [integer, text] },
      { ...DRAFT_04, anyOf: [{ ...integer, minimum: 0 }, { ...integer, maximum: 0 }, text] },
      "compatible",
      "compatible",
    ],
    [
      { ...DRAFT_04, ...integer },
      { ...DRAFT_04, ...integer, minimum: 0 },
      "breaking",
      "compatible",
    ],
  ])("%j, then %j", (before, after, backward, forward) => {
    const { changes, ...verdicts } = compareVersions(load(before), load(after));
    expect(verdicts).toMatchObject({ backward, forward });
    const undecided = changes.filter((each) =>
      findBreaks(each).some(({ verdict }) => verdict === "undecided"),
    );
    for (const { effects } of undecided)
      expect(JSON.stringify(effects)).toContain("1.0 is no integer in draft-04");
    expect(JSON.stringify(changes.map(({ message }) => message))).not.toContain("draft-04:");
  });
});

describe("items that `contains` finds count as evaluated in 2020-12, not in 2019-09", () => {
  const found = { contains: text, unevaluatedItems: { type: "number" } };

  test.each<[schema: object, values: [unknown, boolean][]]>([
    [
      { ...DRAFT_2019, ...found },
      [
        [["a"], false],
        [[1], false],
      ],
    ],
    [
      { ...DRAFT_2020, ...found },
      [
        [["a"], true],
        [["a", 1], true],
        [[1], false],
      ],
    ],
    [
      { ...DRAFT_2019, anyOf: [{ contains: text }, { items: [{}] }], unevaluatedItems: false },
      [
        [["a"], true],
        [["a", "b"], false],
        [[], true],
      ],
    ],
  ])("%j", (schema, values) => {
    const root = load(schema);
    for (const [value, valid] of values) {
      expect([isValid(root, value), validatorOf(root).isValid(value)]).toEqual([valid, valid]);
    }
  });

  test("which a change of the dialect changes", () => {
    const versions = [DRAFT_2019, DRAFT_2020].map((draft) => load({ ...draft, ...found }));
    const [one, other] = versions;
    if (!one || !other) throw new Error("two versions are needed");
    expect(compareVersions(one, other)).toMatchObject({
      backward: "compatible",
      forward: "breaking",
    });
    expect(compareVersions(one, one).bump).toBe("none");
    const [plain, same] = [DRAFT_2019, DRAFT_2020].map((each) => load({ ...each, contains: text }));
    if (!plain || !same) throw new Error("two versions are needed");
    expect(compareVersions(plain, same)).toMatchObject({
      backward: "compatible",
      forward: "compatible",
    });
  });
});
