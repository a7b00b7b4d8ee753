import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { subschemas } from "../schema/subschemas.js";
import { inner, leaf, NAMES, normalise, object, typeSchema, types } from "./arbitrary-types.js";
import type { Layout, LayoutVersion, Types } from "./lay-out.js";

const layout: fc.Arbitrary<Layout> = fc.record({
  root: fc.constantFrom("collection", "anyOf", "oneOf", "type"),
  keyword: fc.constantFrom("$defs", "definitions"),
  dialect: fc.constantFrom("2020-12", "2020-12", "2019-09", "draft-07"),
  moved: fc.oneof(fc.constant([]), fc.subarray(NAMES)),
  path: fc.constantFrom("top/record.json", "top/deep/record.json", "top/record.schema.json"),
  filePath: fc.constantFrom("NAME.json", "parts/NAME.json", "../NAME.json", "NAME.schema.json"),
  hasId: fc.boolean(),
  filesHaveId: fc.boolean(),
  refersById: fc.boolean(),
  omitsEnding: fc.boolean(),
  beside: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ title: "x" }, { required: ["a"] }, { minProperties: 2 }),
    },
  ),
  hasTwins: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  only: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
  ),
});

type Edit = (version: LayoutVersion) => LayoutVersion;

/** Changes one schema inside a type. */
const editSchema: fc.Arbitrary<Edit> = fc
  .record({
    place: fc.nat(),
    key: fc.nat(),
    other: fc.oneof(leaf, object, inner).map((each) => Object(each)),
    change: fc.constantFrom("merge", "drop", "replace", "replace-keyword", "close", "require"),
  })
  .map(
    ({ place, key, other, change }): Edit =>
      (version) => {
        const changed: Types = structuredClone(version.types);
        const places = Object.values(changed).flatMap((schema) => [...objectsIn(schema)]);
        const target = places[place % places.length];
        if (target === undefined) return version;
        const isType = Object.values(changed).includes(target);
        const keywords = Object.keys(target);
        const keyword = keywords[key % Math.max(1, keywords.length)] ?? "";
        if (change === "close") target.additionalProperties = target.additionalProperties !== false;
        else if (change === "require") target.required = [NAMED_PROPERTIES[key % 4]];
        else if (isType && other.$ref !== undefined) return version;
        else if (change === "merge") Object.assign(target, other);
        else {
          const gone = change === "replace" ? keywords : [keyword];
          for (const each of gone) delete target[each];
          if (change !== "drop") Object.assign(target, other);
        }
        return { ...version, types: normalise(changed) };
      },
  );

const NAMED_PROPERTIES = ["a", "b", "c", "kind"];

function* objectsIn(schema: JsonObject): Generator<{ [keyword: string]: unknown }> {
  yield schema;
  for (const [, child] of subschemas(schema)) if (isJsonObject(child)) yield* objectsIn(child);
}

/** Adds, removes or renames a type. */
const editTypes: fc.Arbitrary<Edit> = fc
  .tuple(fc.nat(), fc.constantFrom("add", "remove", "rename", "alias"), typeSchema)
  .map(
    ([index, change, schema]): Edit =>
      (version) => {
        const names = Object.keys(version.types);
        const name = names[index % names.length] ?? "A";
        const { [name]: old = {}, ...rest } = version.types;
        if (change === "remove" && names.length > 1) return { ...version, types: normalise(rest) };
        if (change === "rename")
          return { ...version, types: renamed(version.types, name, "Renamed") };
        if (change === "alias") {
          const named = { ...version.types, [name]: { $ref: "Target" }, Target: old };
          return { ...version, types: normalise(named) };
        }
        return { ...version, types: normalise({ ...version.types, Added: schema }) };
      },
  );

function renamed(given: Types, from: string, to: string): Types {
  const entries = Object.entries(given).map(([name, schema]) => [
    name === from ? to : name,
    schema,
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)), (key, value: unknown) =>
    key === "$ref" && value === from ? to : value,
  );
}

/** Publishes the same types differently, in one respect. */
const editLayout: fc.Arbitrary<Edit> = fc
  .tuple(
    layout,
    fc.constantFrom(
      "root",
      "keyword",
      "dialect",
      "moved",
      "hasId",
      "only",
      "filePath",
      "beside",
      "hasTwins",
    ),
  )
  .map(
    ([other, key]): Edit =>
      (version) => ({
        ...version,
        layout: { ...version.layout, [key]: other[key] },
      }),
  );

const edit = fc.oneof(
  { weight: 5, arbitrary: editSchema },
  { weight: 1, arbitrary: editTypes },
  { weight: 2, arbitrary: editLayout },
);

/** Two versions of types: nearly equal, rarely different. */
export const arbitraryLayoutPair: fc.Arbitrary<readonly [LayoutVersion, LayoutVersion]> = fc
  .tuple(
    fc.record({ types, layout }),
    fc.oneof(
      { weight: 6, arbitrary: fc.array(edit, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(edit, { minLength: 4, maxLength: 8 }) },
    ),
  )
  .map(([first, edits]) => [first, edits.reduce((version, apply) => apply(version), first)]);
