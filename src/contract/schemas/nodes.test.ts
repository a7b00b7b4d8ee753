import { expect, test } from "vitest";
import { resolvePointer } from "../../base/json/pointer.js";
import type { SchemaNode } from "./nodes.js";
import { walkNodes } from "./nodes.js";

const ROOT: SchemaNode = {
  allOf: [{ $ref: "Base" }],
  properties: {
    "a/b~c": { type: "array", items: { type: "object", additionalProperties: { const: 1 } } },
    open: { additionalProperties: true },
  },
  anyOf: [{ type: "object" }],
};

test("a node, then every subschema, parents before children", () => {
  expect([...walkNodes(ROOT)].map(({ pointer }) => pointer)).toEqual([
    "",
    "/allOf/0",
    "/properties/a~1b~0c",
    "/properties/a~1b~0c/items",
    "/properties/a~1b~0c/items/additionalProperties",
    "/properties/open",
    "/anyOf/0",
  ]);
});

test("each pointer locates its node, relative to the given start", () => {
  const document = { $defs: { Root: ROOT } };
  for (const { node, path, pointer } of walkNodes(ROOT, ["$defs", "Root"])) {
    expect(resolvePointer(document, pointer)).toBe(node);
    expect(path.slice(0, 2)).toEqual(["$defs", "Root"]);
  }
});
