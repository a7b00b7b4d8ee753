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
