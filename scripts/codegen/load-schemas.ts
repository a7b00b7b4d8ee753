import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalHash } from "../../conformance/registry/schema-hashes.js";
import { EXIT, UserError } from "../../src/user-error.js";
import type { SchemaNode } from "./schema-node.js";

/** A schema file with what every target needs to know of it. */
export interface SourceSchema {
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  /** File name without its ending, such as `rollout-wire`. */
  readonly name: string;
  readonly id: string;
  readonly canonicalHash: string;
  readonly document: SchemaNode;
  /** Every named type: the `$defs`, in their order. */
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  /** Names of the record types of a JSONL line: the members of the root's `anyOf`. */
  readonly entryTypes: readonly string[];
}

/**
 * Reads every `schema/*.schema.json` below `root`, sorted by name.
 *
 * Throws UserError when a file is not JSON, not a valid schema of draft 2020-12, has no `$id` or
 * `$defs`, or when two schemas define the same name.
 */
export function loadSchemas(root: string): SourceSchema[] {
  const folder = join(root, "schema");
  const files = readdirSync(folder).filter((file) => file.endsWith(".schema.json"));
  if (files.length === 0) throw new UserError(`${folder} holds no *.schema.json`);
  const schemas = files.sort().map((file) => loadSchema(join(folder, file)));
  requireUniqueNames(schemas);
  return schemas;
}

function loadSchema(path: string): SourceSchema {
  const file = `schema/${basename(path)}`;
  const document = parseSchema(file, readFileSync(path, "utf8"));
  if (document.$id === undefined) throw invalid(file, 'has no "$id": give it a URI of its own');
  const definitions = new Map(Object.entries(document.$defs ?? {}));
  if (definitions.size === 0) {
    throw invalid(file, 'has no "$defs": define each record type there and list it in "anyOf"');
  }
  for (const name of definitions.keys()) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) {
      throw invalid(file, `/$defs/${name} cannot name a type: use PascalCase`);
    }
  }
  return {
    file,
    name: basename(path, ".schema.json"),
    id: document.$id,
    canonicalHash: canonicalHash(document),
    document,
    definitions,
    entryTypes: entryTypesOf(file, document, definitions),
  };
}

function parseSchema(file: string, text: string): SchemaNode {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw invalid(file, `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isSchemaNode(file, document)) throw invalid(file, "is not a JSON object");
  return document;
}

function isSchemaNode(file: string, document: unknown): document is SchemaNode {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return false;
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  if (ajv.validateSchema(document) === true) return true;
  const first = ajv.errors?.[0];
  throw invalid(
    file,
    `is not a valid schema of draft 2020-12: ${first?.instancePath || "(root)"} ${first?.message}`,
  );
}

function entryTypesOf(
  file: string,
  document: SchemaNode,
  definitions: ReadonlyMap<string, SchemaNode>,
): string[] {
  return (document.anyOf ?? []).map((member, index) => {
    const name = member.$ref?.replace("#/$defs/", "");
    if (name === undefined || !definitions.has(name)) {
      throw invalid(file, `/anyOf/${index} must be a "$ref" to a member of this file's "$defs"`);
    }
    return name;
  });
}

function requireUniqueNames(schemas: readonly SourceSchema[]): void {
  const owners = new Map<string, SourceSchema>();
  for (const schema of schemas) {
    for (const name of schema.definitions.keys()) {
      const other = owners.get(name);
      if (other !== undefined) {
        throw invalid(schema.file, `/$defs/${name} is defined in ${other.file} too: rename one`);
      }
      owners.set(name, schema);
    }
  }
}

function invalid(file: string, problem: string): UserError {
  return new UserError(`${file} ${problem}`, EXIT.findings);
}
