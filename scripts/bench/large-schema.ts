import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../src/base/json/value.js";
import { REPO_ROOT } from "../run-script.js";

/** Styles of a schema of about 100 KB; the first one repeats our own schema. */
export const STYLES = [
  "own",
  "records",
  "union",
  "nested",
  "enums",
  "patterns",
  "wide",
  "graph",
] as const;
export type Style = (typeof STYLES)[number];

export const AMOUNTS = ["nothing", "one", "twenty", "everything"] as const;
export type Amount = (typeof AMOUNTS)[number];

const WORDS =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho".split(" ");

/** A schema of draft 2020-12. The amount says how many records differ between two schemas of one style. */
export function createLargeSchema(style: Style, amount: Amount): JsonObject {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...create[style](amount) };
}

const create: Readonly<Record<Style, (amount: Amount) => JsonObject>> = {
  own: (amount) => {
    const copies = Array.from({ length: 10 }, (_, index) => createOwn(index, amount));
    return {
      anyOf: copies.flatMap(({ types }) => types.map(refer)),
      $defs: Object.fromEntries(copies.flatMap(({ definitions }) => definitions)),
    };
  },
  records: (amount) => {
    const $defs = byName(110, (index) => createRecord(index, amount));
    return { anyOf: Object.keys($defs).map(refer), $defs };
  },
  union: (amount) => {
    const $defs = byName(110, (index) =>
      createRecord(index, amount, { type: { const: `t${index}` } }, ["type"]),
    );
    const items = { oneOf: Object.keys($defs).map(refer) };
    return { type: "object", properties: { events: { type: "array", items } }, $defs };
  },
  nested: (amount) => {
    let schema: JsonObject = { type: "string" };
    for (let index = 0; index < 50; index += 1) {
      schema = createRecord(index, amount, {
        next: schema,
        last: createRecord(index + 50, amount),
      });
    }
    return schema;
  },
  enums: (amount) => {
    const enums = byName(5, (index) => ({
      enum: Array.from({ length: 1200 }, (_, value) => `value-${index}-${value}`),
    }));
    const records = byName(20, (index) => ({ anyOf: [createRecord(index, amount)] }));
    return { type: "object", properties: { ...enums, inner: { properties: records } } };
  },
  patterns: (amount) => {
    const patterns = Array.from({ length: 110 }, (_, index) => [
      `^${WORDS[index % WORDS.length]}${index}_[a-z]+$`,
      createRecord(index, amount),
    ]);
    const patternProperties = Object.fromEntries(patterns);
    return { type: "object", patternProperties, additionalProperties: false };
  },
  wide: (amount) => {
    const names = Array.from(
      { length: 1100 },
      (_, index) => `${WORDS[index % WORDS.length]}_${index}`,
    );
    const fields = names.map((name, index) => {
      const field = { ...createField(index), title: `What ${name} is, in words` };
      return [name, isChanged(index, amount) ? { ...field, type: "boolean" } : field];
    });
    const required = names.filter((_, index) => index % 2 === 0);
    return {
      type: "object",
      properties: Object.fromEntries(fields),
      required,
      additionalProperties: false,
    };
  },
  graph: (amount) => {
    const count = 100;
    const $defs = byName(count, (index) =>
      createRecord(index, amount, {
        child: refer(`Record${(index * 7 + 3) % count}`),
        children: { type: "array", items: refer(`Record${(index * 5 + 1) % count}`) },
      }),
    );
    return { ...refer("Record0"), $defs };
  },
};

/** The definitions of our own schema under new names, without references to other files, and its record types. */
function createOwn(index: number, amount: Amount) {
  const text = readFileSync(join(REPO_ROOT, "schema/rollout-wire.schema.json"), "utf8")
    .replaceAll(/"\$ref": "https:[^"]*"/g, '"type": "object"')
    .replaceAll("#/$defs/", `#/$defs/Copy${index}`);
  const { $defs, anyOf }: JsonObject = JSON.parse(text);
  if (!isJsonObject($defs) || !Array.isArray(anyOf)) throw new TypeError("not our schema");
  const definitions = Object.entries($defs).map(([name, schema]) => {
    const isTask = name === "Task" && isJsonObject(schema) && isChanged(index, amount);
    return [`Copy${index}${name}`, isTask ? { ...schema, maxLength: 1000 } : schema] as const;
  });
  const types = anyOf.map(({ $ref }): string => $ref.split("/").at(-1));
  return { definitions, types };
}

function byName(count: number, make: (index: number) => JsonObject): Record<string, JsonObject> {
  const entries = Array.from({ length: count }, (_, index) => [`Record${index}`, make(index)]);
  return Object.fromEntries(entries);
}

function refer(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

function createRecord(
  index: number,
  amount: Amount,
  more: JsonObject = {},
  moreRequired: readonly string[] = [],
): JsonObject {
  const names = Array.from(
    { length: 14 },
    (_, at) => `${WORDS[(index + at) % WORDS.length]}_${at}`,
  );
  const properties = names.map((name, at) => [name, createField(index + at)]);
  return {
    type: "object",
    description: `Record ${index}`,
    properties: {
      ...Object.fromEntries(properties),
      ...(isChanged(index, amount) ? { [names[1] ?? ""]: { type: "boolean" } } : {}),
      ...more,
    },
    required: [...names.slice(0, 5), ...moreRequired],
  };
}

function isChanged(index: number, amount: Amount): boolean {
  switch (amount) {
    case "nothing":
      return false;
    case "one":
      return index === 3;
    case "twenty":
      return index < 20;
    case "everything":
      return true;
  }
}

const FIELDS: readonly JsonObject[] = [
  { type: "string", minLength: 1, description: "A text that is not empty" },
  { type: "integer", minimum: 0 },
  { type: ["string", "null"] },
  { type: "array", items: { type: "string" } },
  { enum: ["a", "b", "c"] },
  { type: "number", maximum: 1 },
  { type: "string", pattern: "^[a-f0-9]{16}$" },
];

function createField(index: number): JsonObject {
  return FIELDS[index % FIELDS.length] ?? {};
}
