import { EXIT, UserError } from "../../src/user-error.js";
import type { SourceSchema } from "./load-schemas.js";
import type { ResolveRef } from "./resolve-ref.js";
import type { SchemaNode } from "./schema-node.js";

/**
 * The same object type without `allOf`: the properties of its bases first, then its own.
 *
 * Types are printed from this; validators from the document itself. Throws UserError where a base
 * is closed or declares a property again, because then no flat type says the same.
 */
export function flattenAllOf(
  node: SchemaNode,
  owner: SourceSchema,
  resolveRef: ResolveRef,
): SchemaNode {
  if (node.allOf === undefined) return node;
  const { allOf, ...own } = node;
  const bases = allOf.map((member) => {
    if (member.$ref === undefined) return member;
    const target = resolveRef(member.$ref, owner);
    return flattenAllOf(target.node, target.schema, resolveRef);
  });
  const properties: Record<string, SchemaNode> = {};
  const required = new Set<string>();
  for (const part of [...bases, own]) {
    if (part !== own && part.additionalProperties !== undefined) {
      throw unmergeable(owner, "a base restricts additionalProperties");
    }
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      if (Object.hasOwn(properties, name)) throw unmergeable(owner, `"${name}" is declared twice`);
      properties[name] = property;
    }
    for (const name of part.required ?? []) required.add(name);
  }
  return { ...own, properties, required: [...required] };
}

function unmergeable(owner: SourceSchema, reason: string): UserError {
  return new UserError(
    `${owner.file} has an allOf that cannot be printed flat: ${reason}`,
    EXIT.findings,
  );
}
