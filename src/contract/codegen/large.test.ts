import { expect, test } from "vitest";
import type { Definition } from "../schemas/definitions.js";
import { targets } from "./targets/index.js";
import { createInput } from "./testing/create-input.js";

const PRINTED = ["typescript", "validators", "python", "pydantic", "reference"] as const;

/** Definitions, `perFile` of them in a file. Each refers to the next one, the last one to itself. */
function chain(count: number, perFile: number): Record<string, unknown> {
  const place = (at: number): string => `f${Math.floor(at / perFile)}.schema.json#/$defs/D${at}`;
  const files = Array.from({ length: count / perFile }, (_, file) => {
    const definitions = Array.from({ length: perFile }, (_, index) => {
      const at = file * perFile + index;
      const next = { $ref: place(Math.min(at + 1, count - 1)) };
      const properties = { a: { type: "string" }, b: next, c: { type: "array", items: next } };
      return [`D${at}`, { type: "object", properties }];
    });
    return [`f${file}.schema.json`, { $defs: Object.fromEntries(definitions) }];
  });
  return Object.fromEntries(files);
}

/** How often all targets together look at the schemas of definitions. */
async function countReads(files: Record<string, unknown>): Promise<number> {
  const input = createInput(files, { folder: "out/large" });
  let reads = 0;
  const counted = [...input.definitions].map(([name, definition]): [string, Definition] => {
    const { node, ...rest } = definition;
    const getter = {
      ...rest,
      get node() {
        reads += 1;
        return node;
      },
    };
    return [name, getter];
  });
  const outputs = PRINTED.map((target) => ({ target, folder: "out/large" }));
  const counting = { ...input, outputs, definitions: new Map(counted) };
  for (const target of PRINTED.flatMap((name) => targets[name])) await target.generate(counting);
  return reads;
}

test.each([
  ["one file", 40],
  ["many files", 2],
])("twice as many definitions are twice the work, in %s", async (_, perFile) => {
  const [some = 0, twice = 0] = await Promise.all(
    [20, 40].map((count) => countReads(chain(count, Math.min(count, perFile)))),
  );
  expect(some).toBeGreaterThan(100);
  expect(twice).toBeLessThan(2.3 * some);
});

const object = (properties: object, more: object): object => ({
  ...{ type: "object", properties, ...more },
});

const basesOf = (allOf: object[]): object => (allOf.length > 0 ? { allOf } : {});

/** Ways in which a schema refers to two others, and the two that refer to none. */
const DIAMONDS: Readonly<Record<string, (next: object[], name: string) => object>> = {
  "bases with fields": (allOf, name) => object({ [name]: {} }, basesOf(allOf)),
  "bases without fields": (allOf) => object({}, basesOf(allOf)),
  "a reference beside others": ([first, ...allOf], name) =>
    first === undefined ? object({ [name]: {} }, {}) : { ...first, allOf },
  "unions of objects": (anyOf, name) => (anyOf.length > 0 ? { anyOf } : object({ [name]: {} }, {})),
  "arrays of unions": (anyOf, name) => ({
    type: "array",
    items: anyOf.length > 0 ? { anyOf } : object({ [name]: {} }, {}),
  }),
};

/** Layers of two definitions, each of which refers to both of the next layer: so there are 2 ** `layers` paths. */
function diamond(layers: number, form: (next: object[], name: string) => object): object {
  const sides = ["L", "R"];
  const refs = (layer: number): object[] =>
    layer === layers ? [] : sides.map((side) => ({ $ref: `#/$defs/${side}${layer}` }));
  const all = Array.from({ length: layers }, (_, layer) =>
    sides.map((side) => [`${side}${layer}`, form(refs(layer + 1), `p${side}${layer}`)]),
  );
  const holder = object({ u: { $ref: "#/$defs/L0" } }, {});
  return { $defs: { Holder: holder, ...Object.fromEntries(all.flat()) } };
}

test.each(Object.entries(DIAMONDS))("%s on many paths are looked at once", async (_, form) => {
  const [some = 0, twice = 0] = await Promise.all(
    [8, 16].map((layers) => countReads({ "a.schema.json": diamond(layers, form) })),
  );
  expect(some).toBeGreaterThan(100);
  // Each layer may look at all below it, but not at all paths.
  expect(twice).toBeLessThan(5 * some);
});
