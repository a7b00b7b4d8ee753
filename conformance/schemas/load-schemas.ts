import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { canonicalHash } from "../registry/schema-hashes.js";
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
  /** Names of the record types of a JSONL line: the members of the root's `anyOf`. */
  readonly entryTypes: readonly string[];
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Knows the meta-schema, which takes a while to compile. */
const ajv = new Ajv2020({ strict: true, allErrors: true });

/** Modules of the generated TypeScript that no schema may take the place of. */
const TAKEN_NAMES = ["features", "index", "validators"];

/**
 * Reads every `schema/*.schema.json` below `root`, sorted by name.
 *
 * Throws UserError when a file is not JSON, not a valid schema of draft 2020-12, or lacks its `$id`,
 * its `$defs`, or the `anyOf` of its record types.
 */
export function loadSchemas(root: string): SourceSchema[] {
  const folder = join(root, "schema");
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".schema.json"))
    .map((entry) => entry.name)
    .sort();
  if (files.length === 0) throw new UserError(`${folder} holds no *.schema.json`);
  const schemas = files.map((file) => loadSchema(join(folder, file)));
  const ids = new Map<string, SourceSchema>();
  for (const schema of schemas) {
    const other = ids.get(schema.id);
    if (other !== undefined) throw invalid(schema.file, `has the "$id" of ${other.file}`);
    ids.set(schema.id, schema);
  }
  return schemas;
}

function loadSchema(path: string): SourceSchema {
  const name = basename(path, ".schema.json");
  const file = `schema/${basename(path)}`;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || TAKEN_NAMES.includes(name)) {
    throw invalid(file, "cannot name a module: use lower-case words and hyphens");
  }
  const document = parseSchema(file, readFileSync(path, "utf8"));
  if (document.$id === undefined) throw invalid(file, 'has no "$id": give it a URI of its own');
  if (Object.keys(document.$defs ?? {}).length === 0) {
    throw invalid(file, 'has no "$defs": define each record type there and list it in "anyOf"');
  }
  return {
    file,
    name,
    id: document.$id,
    canonicalHash: canonicalHash(document),
    document,
    entryTypes: entryTypesOf(file, document),
  };
}

function parseSchema(file: string, text: string): SchemaNode {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw invalid(file, `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const odd = findOdd(document);
  if (odd !== undefined) throw invalid(file, `holds ${odd}, which not every target can print`);
  if (!isSchemaNode(file, document)) throw invalid(file, "is not a JSON object");
  return document;
}

/** The first text or number in a JSON value that has no place in generated code. */
function findOdd(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return "a number beyond a double";
  if (typeof value === "string") {
    return /[\p{Cs}\p{Cc}]/u.test(value.replaceAll("\n", "")) ? describeOddText(value) : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const odd = findOdd(key) ?? findOdd(child);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function describeOddText(text: string): string {
  return `a control character or a lone surrogate (in ${JSON.stringify(text.slice(0, 40))})`;
}

function isSchemaNode(file: string, document: unknown): document is SchemaNode {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return false;
  if ("$schema" in document && document.$schema !== DIALECT) {
    throw invalid(file, `must have "$schema": "${DIALECT}"`);
  }
  if (ajv.validateSchema(document) === true) return true;
  const first = ajv.errors?.[0];
  throw invalid(
    file,
    `is not a valid schema of draft 2020-12: ${first?.instancePath || "(root)"} ${first?.message}`,
  );
}

function entryTypesOf(file: string, document: SchemaNode): string[] {
  const names = (document.anyOf ?? []).map((member, index) => {
    const name = member.$ref?.replace("#/$defs/", "");
    if (name === undefined || !Object.hasOwn(document.$defs ?? {}, name)) {
      throw invalid(file, `/anyOf/${index} must be a "$ref" to a member of this file's "$defs"`);
    }
    return name;
  });
  if (names.length === 0) throw invalid(file, 'has no "anyOf" of the types that a line can have');
  return names;
}

function invalid(file: string, problem: string): UserError {
  return new UserError(`${file} ${problem}`, EXIT.findings);
}
