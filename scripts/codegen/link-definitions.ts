import { EXIT, UserError } from "../../src/user-error.js";
import type { SourceSchema } from "./load-schemas.js";
import type { SchemaNode } from "./schema-node.js";

/** A definition with the schema that holds it. */
export interface Definition {
  readonly name: string;
  readonly schema: SourceSchema;
  readonly node: SchemaNode;
}

/** Finds what a `$ref` of `from` points at; throws UserError for anything but a known `$defs` member. */
export type ResolveRef = (ref: string, from: SourceSchema) => Definition;

/** References may point at `$defs` of the same file (`#/$defs/X`) or of another file in `schema/` (`<its $id>#/$defs/X`). */
export function createResolver(schemas: readonly SourceSchema[]): ResolveRef {
  const byId = new Map(schemas.map((schema) => [schema.id, schema]));
  return (ref, from) => {
    const hash = ref.indexOf("#");
    const id = hash === -1 ? ref : ref.slice(0, hash);
    const schema = id === "" ? from : byId.get(id);
    if (schema === undefined) {
      throw invalidRef(ref, from, "no file in schema/ has this $id, and nothing is ever fetched");
    }
    const name = definitionName(hash === -1 ? "" : ref.slice(hash));
    const node = name === undefined ? undefined : schema.definitions.get(name);
    if (name === undefined || node === undefined) {
      throw invalidRef(ref, from, `${schema.file} has no such member of "$defs"`);
    }
    return { name, schema, node };
  };
}

function definitionName(fragment: string): string | undefined {
  const prefix = "#/$defs/";
  if (!fragment.startsWith(prefix)) return undefined;
  return decodeURIComponent(fragment.slice(prefix.length))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

function invalidRef(ref: string, from: SourceSchema, reason: string): UserError {
  return new UserError(`${from.file} refers to "${ref}": ${reason}`, EXIT.findings);
}
