import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../base/json/value.js";
import type { NamedText } from "../../schemas/schema-id.js";
import { compareVersions } from "../compare-versions.js";
import { type LoadedVersion, loadVersion } from "../load-version.js";
import { HOLE, type SchemaLocation } from "./schema-set.js";

type Files = Readonly<Record<string, JsonObject | string>>;

interface Given {
  readonly files?: Files;
  readonly named?: readonly (Omit<NamedText, "text"> & { readonly schema: JsonObject })[];
  readonly roots?: readonly string[];
  readonly onRead?: (path: string) => void;
}

/** Loads `schema` as the file `s/a.json`. */
function load(schema: JsonObject, { files = {}, named = [], roots = [], onRead }: Given = {}) {
  const read = (path: string): string | undefined => {
    onRead?.(path);
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    return file === undefined || typeof file === "string" ? file : JSON.stringify(file);
  };
  const others = named.map(({ schema: text, ...rest }) => ({
    ...rest,
    text: JSON.stringify(text),
  }));
  const text = JSON.stringify(schema);
  return loadVersion({ name: "s/a.json", text, others, files: { path: "s/a.json", roots, read } });
}

/** What the property `x` refers to in the end. */
function targetOf({ root }: LoadedVersion): unknown {
  let at: SchemaLocation = root.set.resolve(root, "#/properties/x");
  for (let step = 0; step < 9; step += 1) {
    const { $ref, $dynamicRef } = Object(at.schema);
    if (typeof ($ref ?? $dynamicRef) !== "string") break;
    at = root.set.resolve(at, $ref ?? $dynamicRef);
  }
  return at.schema;
}

const x = ($ref: string, more: JsonObject = {}): JsonObject => ({
  ...more,
  properties: { x: { $ref } },
});
const right = { title: "right" };
const wrong = { title: "wrong" };
const HERE = { $id: "https://h.example/s/a.json" };

describe("a reference leads", () => {
  test.each<[what: string, schema: JsonObject, given: Given]>([
    ["to the file at its path", x("b.json"), { files: { "s/b.json": right } }],
    ["to one that it names without its ending", x("../b"), { files: { "b.schema.json": right } }],
    [
      "to a file on its own host, as far away as the two URLs are",
      x("https://h.example/t/c.json#/$defs/y", HERE),
      { files: { "t/c.json": { $defs: { y: right } } } },
    ],
    [
      "there by a relative path, too",
      x("../t/c.json", HERE),
      { files: { "t/c.json": { $id: "https://h.example/t/c.json", ...right } } },
    ],
    [
      "but to no file that has another $id",
      x("https://h.example/s/c.json", HERE),
      {
        files: { "s/c.json": { $id: "https://other.example/c.json", ...wrong } },
        named: [{ schema: { $id: "https://h.example/s/c.json", ...right } }],
      },
    ],
    [
      "unless the path is relative, and nobody named a better one",
      x("c.json", HERE),
      { files: { "s/c.json": { $id: "https://other.example/c.json", ...right } } },
    ],
    [
      "to a named schema with that $id",
      x("urn:x:b"),
      { named: [{ schema: { $id: "urn:x:b", ...right } }] },
    ],
    [
      "to a part of one",
      x("https://h.example/part#/$defs/y"),
      {
        named: [
          {
            schema: {
              $id: "https://h.example/b",
              $defs: { p: { $id: "part", $defs: { y: right } } },
            },
          },
        ],
      },
    ],
    [
      "to one by an alias",
      x("urn:x:former"),
      { named: [{ schema: { $id: "urn:x:b", ...right }, aliases: ["urn:x:former"] }] },
    ],
    [
      "to the first of a list of versions",
      x("urn:x:b"),
      {
        named: [right, wrong].map((each) => ({
          schema: { $id: "urn:x:b", ...each },
          isListed: true,
        })),
      },
    ],
    [
      "to the named file in its own folder",
      x("urn:x:b"),
      {
        named: [
          { schema: { $id: "urn:x:b", ...wrong }, path: "t/b.json" },
          { schema: { $id: "urn:x:b", ...right }, path: "s/b.json" },
        ],
      },
    ],
    [
      "to a named document with that $id, and not to a part of another one that is nearer",
      x("urn:x:b"),
      {
        named: [
          { schema: { $defs: { b: { $id: "urn:x:b", ...wrong } } }, path: "s/c.json" },
          { schema: { $id: "urn:x:b", ...right }, path: "t/b.json" },
        ],
      },
    ],
    [
      "to a file whose name has a percent sign",
      x("c%2520d.json"),
      { files: { "s/c%20d.json": right, "s/c d.json": wrong } },
    ],
    [
      "to one of two files that are equal, if both are its name without the ending",
      x("b"),
      { files: { "s/b.json": right, "s/b.schema.json": right } },
    ],
    [
      "to a file of exactly that name",
      x("b"),
      { files: { "s/b": right, "s/b.json": wrong, "s/b.schema.json": wrong } },
    ],
    [
      "below a root, by an end of its URL",
      x("https://h.example/deep/b.json"),
      { files: { "r/b.json": right }, roots: ["r"] },
    ],
    [
      "to a document that another reference reached by its path",
      { ...x("urn:x:b"), required: [], items: { $ref: "b.json" } },
      { files: { "s/b.json": { $id: "urn:x:b", ...right } } },
    ],
    [
      "inside its document, whatever $id another one has in it",
      {
        ...x("part"),
        $id: "https://h.example/a",
        items: { $ref: "b.json" },
        $defs: { p: { $id: "part", ...right } },
      },
      {
        files: {
          "s/b.json": { $id: "https://h.example/b", $defs: { p: { $id: "part", ...wrong } } },
        },
      },
    ],
    [
      "into a container of an unknown keyword, where references count, too",
      x("b.json#/components/schemas/y"),
      {
        files: {
          "s/b.json": {
            components: {
              schemas: { y: { $ref: "#/components/schemas/z" }, z: { $ref: "c.json" } },
            },
          },
          "s/c.json": right,
        },
      },
    ],
    [
      "to a place in the words of its own dialect",
      {
        ...x("#/definitions/t/items/0/dependencies/d"),
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { t: { items: [{ dependencies: { d: right, e: ["f"] } }] } },
      },
      {},
    ],
    [
      "to a metaschema",
      x("http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger"),
      {},
    ],
  ])("%s", (_, schema, given) => {
    const loaded = load(schema, given);
    expect(loaded.holes).toEqual([]);
    expect(targetOf(loaded)).toMatchObject(_.includes("metaschema") ? { minimum: 0 } : right);
  });
});

describe("a hole", () => {
  test("is an address elsewhere", () => {
    const loaded = load(x("https://e.example/b#/$defs/y"));
    const text = "https://e.example/b#/$defs/y";
    expect(loaded.holes).toMatchObject([{ from: "s/a.json /properties/x", text }]);
    expect(targetOf(loaded)).toEqual({ [HOLE]: text });
  });

  test.each([
    ["https://e.example/b#/$defs/y", "HTTPS://E.example:443/b#/%24defs/y"],
    ["https://e.example/~u/b", "https://e.example/%7eu/c/../b#"],
    ["https://e.example/%C3%A4", "https://e.example/%c3%a4"],
    ["http://e.example", "http://e.example:80/"],
  ])("is the same for two spellings of an address: %s, %s", (one, other) => {
    const holes = [one, other].map((address) => load(x(address)).holes);
    expect(holes[0]).toEqual(holes[1]);
    const named = [{ schema: { $id: one, ...right } }];
    if (!one.includes("#")) expect(targetOf(load(x(other), { named }))).toMatchObject(right);
  });

  test("is another one for a $dynamicRef to an anchor, which may lead elsewhere", () => {
    const address = "https://e.example/b#y";
    const dynamic = load({ properties: { x: { $dynamicRef: address } } });
    expect(compareVersions(load(x(address)).root, dynamic.root).backward).toBe("undecided");
    expect(compareVersions(dynamic.root, dynamic.root).backward).toBe("compatible");
  });

  test("is what nobody can read, and equal in the same document only", () => {
    const source = (text: string) => ({ name: "a.json", text, others: [] });
    const loadAll = (schema: JsonObject) =>
      loadVersion(source(JSON.stringify(schema)), "annotate", { toleratesFaults: true });
    const ambiguous = (type: string) => ({
      ...x("#y"),
      $defs: { a: { $anchor: "y", type }, b: { $anchor: "y", ...wrong } },
    });
    const endless = (type: string) => ({
      not: { not: { anyOf: [{ $ref: "#/not" }, { $ref: "#/$defs/a" }] } },
      $defs: { a: { type } },
    });
    const pattern = (type: string) => ({
      patternProperties: { "(": { $ref: "#/$defs/a" } },
      $defs: { a: { type } },
    });
    for (const schemaOf of [ambiguous, endless, pattern]) {
      const [one, same, other] = ["null", "null", "string"].map((type) => loadAll(schemaOf(type)));
      if (!one || !same || !other) throw new Error("three versions are needed");
      expect([one.holes, one.faults]).toEqual([[], [expect.stringContaining("a.json /")]]);
      expect(compareVersions(one.root, same.root).backward).toBe("compatible");
      expect(compareVersions(one.root, other.root).backward).toBe("undecided");
    }
    expect(() => load(ambiguous("null"))).toThrow(
      's/a.json /properties/x: "$ref" is ambiguous: schema:/#y (several schemas have this name)',
    );
  });

  test("is none, but a fault, if two named files that differ have its $id", () => {
    const named = [right, wrong].map((each, index) => ({
      schema: { $id: "urn:x:b", ...each },
      path: `t/${index}.json`,
    }));
    expect(() => load(x("urn:x:b"), { named })).toThrow(
      's/a.json /properties/x: "$ref" is ambiguous: urn:x:b (several schemas have this name)',
    );
  });

  test("is equal to the same hole, and to nothing else", () => {
    const verdict = (before: string, after: string) =>
      compareVersions(load(x(before)).root, load(x(after)).root).backward;
    expect(verdict("https://e.example/b", "https://e.example/b")).toBe("compatible");
    expect(verdict("https://e.example/b", "https://e.example/c")).toBe("undecided");
    const inverted = (address: string) =>
      load({ properties: { x: { not: { $ref: address } } } }).root;
    const [one, other] = [inverted("https://e.example/b"), load(x("https://e.example/b")).root];
    expect(compareVersions(one, other).backward).toBe("undecided");
  });

  test("does not hide a break beside it", () => {
    const version = (kinds: string[]) =>
      load({ properties: { x: { $ref: "https://e.example/b" }, kind: { enum: kinds } } }).root;
    const { backward, forward } = compareVersions(version(["a", "b"]), version(["a"]));
    expect([backward, forward]).toEqual(["breaking", "compatible"]);
  });
});

describe("a fault", () => {
  const faults: [what: string, schema: JsonObject, files: Files, message: string][] = [
    [
      "is a file that is missing",
      x("b.json#/$defs/y"),
      {},
      's/a.json /properties/x: "$ref" cannot be resolved: b.json#/$defs/y',
    ],
    [
      "is a place that a file does not have",
      x("b.json#/$defs/y"),
      { "s/b.json": { $defs: {} } },
      's/a.json /properties/x: "$ref" cannot be resolved: b.json#/$defs/y',
    ],
    [
      "is a place that the document does not have",
      x("#/$defs/y"),
      {},
      's/a.json /properties/x: "$ref" cannot be resolved: #/$defs/y',
    ],
    [
      "is an anchor that the document does not have",
      x("#y"),
      {},
      's/a.json /properties/x: "$ref" cannot be resolved: #y',
    ],
    [
      "is a dynamic anchor that the document does not have, whatever is around it",
      {
        $dynamicAnchor: "y",
        properties: { x: { $ref: "urn:x:b" } },
        $defs: { b: { $id: "urn:x:b", items: { $dynamicRef: "#y" } } },
      },
      {},
      's/a.json (urn:x:b) /items: "$dynamicRef" cannot be resolved: #y',
    ],
    ["is a file that is no JSON", x("b.json"), { "s/b.json": "{" }, "s/b.json:1:2  is not JSON"],
    [
      "is one of two files that differ, if both are its name without the ending",
      x("b"),
      { "s/b.json": right, "s/b.schema.json": { type: "null" } },
      "s/b.schema.json and s/b.json: a reference without its ending may mean either",
    ],
    [
      "is a file that is no schema",
      x("b.json"),
      { "s/b.json": { type: 1 } },
      "s/b.json /type: is not",
    ],
  ];

  test.each(faults)("%s", (_, schema, files, message) => {
    expect(() => load(schema, { files })).toThrow(message);
  });

  test.each(faults)("%s, and none if no record reaches it", (_, schema, files) => {
    const unused = { type: "object", $defs: { unused: schema } };
    const both = [load(unused, { files }), load(unused, { files })] as const;
    expect(both.map(({ holes }) => holes)).toEqual([[], []]);
    expect(compareVersions(both[0].root, both[1].root).backward).toBe("compatible");
    expect(() => load({ $defs: { used: schema } }, { files })).toThrow();
  });
});

test("only files that a reference reaches are read", () => {
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `s/${index}.json`,
      { $id: HERE.$id, $ref: "b.json" },
    ]),
  );
  const read: string[] = [];
  const schema = x("b.json", HERE);
  const given = { "s/b.json": { $defs: { unused: { $ref: "c.json" } } } };
  load(schema, { files: { ...files, ...given }, onRead: (path) => read.push(path) });
  expect(read).toEqual(["s/b.json"]);
});
