import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../base/json/value.js";
import { compareVersions } from "../compare-versions.js";
import { isValid } from "../evaluator/evaluate.js";
import { type LoadedVersion, loadVersion } from "../load-version.js";

const META = "https://a.example/meta";
const vocabulary = (draft: string, ...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [`https://json-schema.org/${draft}/vocab/${name}`, true]));
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const applicator = vocabulary("draft/2020-12", "core", "applicator");
const all = vocabulary("draft/2020-12", "core", "applicator", "validation", "unevaluated");

interface Given {
  readonly named?: readonly JsonObject[];
  readonly files?: Readonly<Record<string, JsonObject>>;
}

function load(schema: JsonObject, { named = [], files = {} }: Given): LoadedVersion {
  const read = (path: string) =>
    Object.hasOwn(files, path) ? JSON.stringify(files[path]) : undefined;
  return loadVersion(
    {
      name: "s/a.json",
      text: JSON.stringify({ $schema: META, ...schema }),
      others: named.map((each) => ({ text: JSON.stringify(each) })),
      files: { path: "s/a.json", roots: ["meta"], read },
    },
    "annotate",
    { toleratesFaults: true },
  );
}

const named = (metaschema: JsonObject, ...more: JsonObject[]): Given => ({
  named: [{ $id: META, ...metaschema }, ...more],
});

describe("the dialect of a schema is that of its metaschema", () => {
  const tuple = { items: [{ type: "null" }], prefixItems: [false], required: ["a"] };
  test.each<[what: string, given: Given, valid: unknown, invalid: unknown]>([
    ["that extends a draft", named({ $schema: DRAFT_07 }), [null], [1]],
    [
      "over several metaschemas",
      named({ $schema: "urn:x:m" }, { $id: "urn:x:m", $schema: DRAFT_07 }),
      [null],
      [1],
    ],
    [
      "that lists vocabularies, whatever its own dialect is",
      named({
        $schema: DRAFT_07,
        $vocabulary: vocabulary("draft/2019-09", "applicator", "validation"),
      }),
      [null],
      [1],
    ],
    [
      "below a folder of --schemas",
      { files: { "meta/meta.json": { $schema: DRAFT_07 } } },
      [null],
      [1],
    ],
  ])("%s", (_, given, valid, invalid) => {
    const { root } = load(tuple, given);
    expect([valid, invalid].map((value) => isValid(root, value))).toEqual([true, false]);
  });

  test("at a path", () => {
    const { root } = load(
      { ...tuple, $schema: "../meta.json" },
      { files: { "meta.json": { $schema: DRAFT_07 } } },
    );
    expect([[null], [1]].map((value) => isValid(root, value))).toEqual([true, false]);
  });

  test.each<[what: string, given: Given]>([
    ["is not here", {}],
    ["names none", named({ $schema: "urn:x:other" })],
    ["names itself", named({ $schema: META })],
    ["has another $id", { files: { "meta/meta.json": { $id: "urn:x:m", $schema: DRAFT_07 } } }],
    ["lists no vocabulary of a draft", named({ $vocabulary: { "urn:x:v": true } })],
  ])("and refused if that %s", (_, given) => {
    expect(() => load(tuple, given)).toThrow(`s/a.json: has the dialect ${META}`);
  });
});

test("keywords of vocabularies that a metaschema does not list have no meaning", () => {
  const schema = { type: "object", properties: { a: { minimum: 1 } }, not: { const: 1 } };
  const [some, whole] = [applicator, all].map(($vocabulary) =>
    load(schema, named({ $vocabulary })),
  );
  if (!some || !whole) throw new Error("two versions are needed");
  expect([some, whole].map(({ root }) => isValid(root, { a: 0 }))).toEqual([false, false]);
  const { root } = load({ properties: { a: { minimum: 1 } } }, named({ $vocabulary: applicator }));
  expect(isValid(root, { a: 0 })).toBe(true);
  expect(isValid(whole.root, { a: 2 })).toBe(true);
});

test("a metaschema may make `format` an assertion", () => {
  const assertion = vocabulary("draft/2020-12", "format-assertion");
  const verdicts = [all, { ...all, ...assertion }].map(($vocabulary) =>
    isValid(load({ format: "date" }, named({ $vocabulary })).root, "x"),
  );
  expect(verdicts).toEqual([true, false]);
});

test("nobody knows what keywords mean that may be of an unknown vocabulary, if that must be known", () => {
  const parse = (isRequired: boolean, money: unknown) =>
    load(
      { properties: { a: { money, title: "A" }, money: true } },
      named({ $vocabulary: { ...all, "urn:x:money": isRequired } }),
    );
  const [one, other] = [parse(true, 1), parse(true, 2)];
  const fault = "the vocabulary urn:x:money must be known, and is not";
  expect(one.faults).toEqual([
    `s/a.json /properties/a/money: is not a schema of draft 2020-12: ${fault}`,
  ]);
  expect(compareVersions(one.root, other.root).backward).toBe("undecided");
  expect(compareVersions(one.root, one.root).backward).toBe("compatible");
  const optional = compareVersions(parse(false, 1).root, parse(false, 2).root);
  expect(optional.backward).toBe("compatible");
});
