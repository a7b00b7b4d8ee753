import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json/value.js";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";
import { listReferredBack } from "./refer-back.js";

const hole = { $ref: "https://e.example/b" };
const order = { $id: "https://h.example/order" };
const text = { type: "string" };
const draft = (name: string) => ({ $schema: `https://json-schema.org/${name}/schema` });

function load(schema: JsonObject, named: readonly JsonObject[]) {
  const others = named.map((each) => ({ text: JSON.stringify(each) }));
  return loadVersion({ name: "a.json", text: JSON.stringify(schema), others });
}

test.each<[what: string, before: JsonObject, after: JsonObject, names: string[]]>([
  ["nothing if nothing changed", { ...order, ...hole }, { ...order, ...hole }, []],
  [
    "nothing if only the documentation changed",
    { ...order, ...hole, title: "a", $defs: { a: { ...text, title: "a" } } },
    { ...order, ...hole, title: "b", $defs: { a: text } },
    [],
  ],
  [
    "nothing that has no name",
    { properties: { a: hole, b: text } },
    { properties: { a: hole, b: true } },
    [],
  ],
  [
    "the $id of a document that changed",
    { ...order, properties: { a: hole, b: text } },
    { ...order, properties: { a: hole, b: true } },
    ["https://h.example/order"],
  ],
  [
    "that of a definition that no record reaches",
    { ...order, ...hole, $defs: { a: text } },
    { ...order, ...hole, $defs: { a: true } },
    ["https://h.example/order"],
  ],
  [
    "that of a part, and not that of what contains it",
    { ...order, ...hole, $defs: { a: { $id: "part", ...text } } },
    { ...order, ...hole, $defs: { a: { $id: "part" } } },
    ["https://h.example/part"],
  ],
  [
    "that of a document which refers to what changed",
    { ...hole, $defs: { a: { ...order, $ref: "x" }, b: { $id: "https://h.example/x", ...text } } },
    { ...hole, $defs: { a: { ...order, $ref: "x" }, b: { $id: "https://h.example/x" } } },
    ["https://h.example/order", "https://h.example/x"],
  ],
  ["a name that changed", { ...order, ...hole }, hole, ["https://h.example/order"]],
  [
    "a dynamic anchor if anything changed around it",
    { ...draft("draft/2020-12"), $dynamicAnchor: "node", properties: { a: hole, b: text } },
    { ...draft("draft/2020-12"), $dynamicAnchor: "node", properties: { a: hole } },
    ["#node"],
  ],
  ["a dynamic anchor that is new", hole, { ...hole, $dynamicAnchor: "node" }, ["#node"]],
  [
    "a dynamic anchor that records now come by",
    { ...hole, $defs: { a: { $id: "part", $dynamicAnchor: "node", ...hole } } },
    { $ref: "part", $defs: { a: { $id: "part", $dynamicAnchor: "node", ...hole } } },
    ["#node"],
  ],
  [
    "a recursive anchor",
    { ...draft("draft/2019-09"), $recursiveAnchor: true, properties: { a: hole, b: text } },
    { ...draft("draft/2019-09"), $recursiveAnchor: true, properties: { a: hole } },
    ["$recursiveAnchor"],
  ],
  [
    "another dialect",
    { ...draft("draft-07"), properties: { a: hole } },
    { ...draft("draft/2020-12"), properties: { a: hole } },
    ["the dialect around it"],
  ],
])("a schema elsewhere may refer back to %s", (_, before, after, names) => {
  const versions = { old: load(before, []), new: load(after, []) };
  expect(listReferredBack(versions)).toEqual(names);
});

test("a schema elsewhere may refer back to a named schema that nothing here refers to", () => {
  const versions = (...schemas: readonly JsonObject[]) =>
    schemas.map((each) => load(hole, [{ ...order, $defs: { a: each } }, text]));
  const [one, other] = versions(text, { type: "null" });
  const [same, described] = versions(text, { ...text, title: "a" });
  if (!one || !other || !same || !described) throw new Error("four versions are needed");
  expect(listReferredBack({ old: one, new: other })).toEqual(["https://h.example/order"]);
  expect(listReferredBack({ old: same, new: described })).toEqual([]);
});

test("a comparison adds nothing to which a schema elsewhere may refer", () => {
  const properties = { a: hole, b: { properties: { c: text } } };
  const [before, after] = [
    load({ properties }, []),
    load({ properties: { ...properties, d: text } }, []),
  ];
  compareVersions(before.root, after.root);
  expect(listReferredBack({ old: before, new: after })).toEqual([]);
});
