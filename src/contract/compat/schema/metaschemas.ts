import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import draft07 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { compilePattern } from "./compile-pattern.js";
import type { Dialect } from "./dialects.js";
import draft04 from "./draft-04.json" with { type: "json" };

/** Drafts 06 and 07 only recommend that an `enum` has members, and that they differ. */
const OLD = [
  draft04,
  ...[draft06, draft07].map((metaschema) => {
    const { properties } = metaschema;
    const patternProperties = {
      ...properties.patternProperties,
      propertyNames: { format: "regex" },
    };
    return {
      ...metaschema,
      $schema: draft07.$schema,
      properties: { ...properties, patternProperties, enum: { type: "array" } },
    };
  }),
];

const options = {
  allErrors: true,
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  verbose: true,
  formats: { regex: (pattern: string) => compilePattern(pattern) !== undefined },
  code: { optimize: false },
} as const;

/** Made when first needed. Each knows the metaschemas of its dialects, and their parts. */
const makers: Readonly<Record<Dialect["name"], () => Ajv>> = {
  "2020-12": () => new Ajv2020(options).addSchema(schemasIn(new Ajv2020())),
  "2019-09": () => new Ajv2019(options).addSchema(schemasIn(new Ajv2019())),
  "draft-07": () => new Ajv(options).addSchema(OLD),
  "draft-06": () => ajvOf("draft-07"),
  "draft-04": () => ajvOf("draft-07"),
};

/** As metaschemas, Ajv would compile them without formats. */
function schemasIn({ schemas }: Ajv): AnySchemaObject[] {
  return Object.values(schemas).flatMap((each) =>
    typeof each?.schema === "object" ? [each.schema] : [],
  );
}

const made = new Map<Dialect["name"], Ajv>();

function ajvOf(name: Dialect["name"]): Ajv {
  const ajv = made.get(name) ?? makers[name]();
  made.set(name, ajv);
  return ajv;
}

/** Validates schemas of a dialect by its metaschema, each `pattern` included. */
export function metaschemaOf({ name, uri }: Dialect): ValidateFunction {
  const validate = ajvOf(name).getSchema(uri);
  if (validate === undefined) throw new RangeError(`no metaschema of ${name}`);
  return validate;
}

/** The text of a metaschema, or of a part of one, by its `$id`. */
export function findMetaschema(id: string): string | undefined {
  if (!/^https?:\/\/json-schema\.org\//.test(id)) return undefined;
  for (const name of ["2020-12", "2019-09", "draft-07"] as const) {
    const found = ajvOf(name).schemas[id] ?? ajvOf(name).schemas[`${id}#`];
    if (found !== undefined) return JSON.stringify(found.schema);
  }
  return undefined;
}

/** The keywords of each vocabulary of a dialect, by its URI. */
export function vocabulariesOf({ name }: Dialect): ReadonlyMap<string, readonly string[]> {
  const parts = Object.entries(ajvOf(name).schemas).filter(([uri]) => uri.includes("/meta/"));
  return new Map(
    parts.map(([uri, part]) => [
      uri.replace("/meta/", "/vocab/"),
      Object.keys(Object(part?.schema).properties),
    ]),
  );
}
