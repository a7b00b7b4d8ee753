import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../base/json/value.js";
import { validatorOf } from "../ajv/ajv.js";
import { compareVersions } from "../compare-versions.js";
import { isValid } from "../evaluator/evaluate.js";
import { loadVersion } from "../load-version.js";

type Files = Readonly<Record<string, JsonObject>>;

/** Loads `a.json`. */
function load(schema: JsonObject, files: Files = {}) {
  const read = (path: string): string | undefined =>
    Object.hasOwn(files, path) ? JSON.stringify(files[path]) : undefined;
  const text = JSON.stringify(schema);
  return loadVersion({
    name: "a.json",
    text,
    others: [],
    files: { path: "a.json", roots: [], read },
  });
}

const list = {
  $id: "https://e.example/list",
  type: "array",
  items: { $dynamicRef: "#element" },
  $defs: { any: { $dynamicAnchor: "element" } },
};
const listOf = (name: string, type: string) => ({
  $id: `https://e.example/${name}`,
  $ref: "list",
  $defs: { element: { $dynamicAnchor: "element", type } },
});
/** Two uses of one generic schema. */
const lists = {
  $id: "https://e.example/lists",
  properties: { s: { $ref: "strings" }, n: { $ref: "numbers" }, any: { $ref: "list" } },
  $defs: { list, strings: listOf("strings", "string"), numbers: listOf("numbers", "number") },
};

const tree = {
  $id: "https://e.example/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
};
/** From the specification, 8.2.3.2. */
const strictTree = {
  $id: "https://e.example/strict-tree",
  $dynamicAnchor: "node",
  $ref: "tree",
  unevaluatedProperties: false,
};

const recursive = (more: JsonObject) => ({
  $schema: "https://json-schema.org/draft/2019-09/schema",
  ...more,
});
const oldTree = recursive({
  $id: "https://e.example/old-tree",
  $recursiveAnchor: true,
  properties: { children: { items: { $recursiveRef: "#" } } },
});

describe("a dynamic reference leads", () => {
  test.each<[what: string, schema: JsonObject, files: Files, good: unknown[], bad: unknown[]]>([
    [
      "to what each use of a generic schema says",
      lists,
      {},
      [{ s: ["a"], n: [1], any: [1, "a"] }],
      [{ s: [1] }, { n: ["a"] }],
    ],
    [
      "to the outermost schema that was entered",
      strictTree,
      { tree },
      [{ children: [{ data: 1 }] }],
      [{ daat: 1 }, { children: [{ daat: 1 }] }, { children: [{ children: [{ daat: 1 }] }] }],
    ],
    [
      "to its own schema, if nothing around has the name",
      { ...tree, $defs: { strict: strictTree } },
      {},
      [{ children: [{ daat: 1 }] }],
      [{ children: [1] }],
    ],
    [
      "to its own schema, if its target is no dynamic anchor",
      {
        $id: "https://e.example/outer",
        $dynamicAnchor: "node",
        $ref: "inner",
        $defs: {
          inner: {
            $id: "inner",
            properties: { a: { $dynamicRef: "#node" } },
            $defs: { plain: { $anchor: "node", type: "string" } },
          },
        },
      },
      {},
      [{ a: "" }],
      [{ a: {} }],
    ],
    [
      "there beside a reference, too",
      {
        ...tree,
        properties: { next: { $ref: "#/$defs/named", $dynamicRef: "#node" } },
        $defs: { named: { required: ["name"] } },
      },
      {},
      [{ next: { name: 1, next: { name: 2 } } }],
      [{ next: {} }, { next: [] }, { next: { name: 1, next: {} } }],
    ],
    [
      "to different schemas from one resource, inside of another and by itself",
      {
        $id: "https://e.example/both",
        properties: { by: { $ref: "list" }, inside: { $ref: "numbers" } },
        $defs: { numbers: { ...listOf("numbers", "number"), properties: { x: list } } },
      },
      {},
      [{ by: ["a"] }, { inside: [1] }],
      [{ inside: ["a"] }],
    ],
    [
      "out of a part of a resource",
      {
        $id: "https://e.example/part",
        $dynamicAnchor: "node",
        type: "object",
        $ref: "tree#/properties/children",
        items: { $ref: "tree" },
      },
      {
        tree: {
          ...tree,
          properties: { children: { properties: { c: { $dynamicRef: "#node" } } } },
        },
      },
      [{ c: {} }],
      [{ c: 1 }, []],
    ],
    [
      "as in 2019-09",
      recursive({
        $id: "https://e.example/strict-old",
        $recursiveAnchor: true,
        $ref: "old-tree",
        unevaluatedProperties: false,
      }),
      { "old-tree": oldTree },
      [{ children: [{ children: [] }] }],
      [{ a: 1 }, { children: [{ a: 1 }] }],
    ],
    [
      "as in 2019-09, out of a resource in a document",
      recursive({
        $id: "https://e.example/outer-old",
        properties: { tree: { $ref: "old-tree" } },
        $recursiveAnchor: true,
        required: ["tree"],
        $defs: {
          tree: {
            $id: "old-tree",
            required: ["kind"],
            properties: { next: { $ref: "#/$defs/any", $recursiveRef: "#" } },
            $defs: { any: { required: ["next"] } },
          },
        },
      }),
      {},
      [{ tree: { kind: 1 } }, { tree: { kind: 1, next: 1 } }],
      [{}, { tree: { kind: 1, next: { next: 1 } } }, { tree: { kind: 1, next: { kind: 1 } } }],
    ],
  ])("%s", (_, schema, files, good, bad) => {
    const { root, holes } = load(schema, files);
    expect(holes).toEqual([]);
    const verdicts = (values: unknown[]) =>
      values.map((value) => [isValid(root, value), validatorOf(root).isValid(value)]);
    expect(verdicts(good)).toEqual(good.map(() => [true, true]));
    expect(verdicts(bad)).toEqual(bad.map(() => [false, false]));
    const { backward, forward, changes } = compareVersions(root, load(schema, files).root);
    expect([backward, forward, changes]).toEqual(["compatible", "compatible", []]);
  });
});

test("a change of one use of a generic schema is a change of that use", () => {
  const changed = structuredClone(lists);
  changed.$defs.numbers.$defs.element.type = "integer";
  const { backward, forward, changes } = compareVersions(load(lists).root, load(changed).root);
  expect([backward, forward]).toEqual(["breaking", "compatible"]);
  expect(changes.map(({ rule, path }) => [rule.id, path])).toEqual([["T1", ["n", "*"]]]);
});

test("the same name in a schema that nothing enters does not matter", () => {
  const other = { $id: "https://e.example/other", $dynamicAnchor: "node", type: "string" };
  const schema = { ...strictTree, $defs: { other } };
  expect(
    compareVersions(load(strictTree, { tree }).root, load(schema, { tree }).root),
  ).toMatchObject({
    backward: "compatible",
    forward: "compatible",
  });
});

test("the metaschema says what a schema is", () => {
  const { root, holes } = load({ $ref: "https://json-schema.org/draft/2020-12/schema" });
  expect(holes).toEqual([]);
  expect(isValid(root, { properties: { a: { items: { minimum: 1 } } } })).toBe(true);
  expect(isValid(root, { properties: { a: { items: { minimum: "1" } } } })).toBe(false);
});
