import { type SchemaNode, type TypeName, typesOf } from "../../../schemas/schema-node.js";
import type { Witness } from "../operator.js";

/** One value of each type; null first, because it is what goes wrong most often. */
const VALUES: readonly (readonly [TypeName, unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["string", "text"],
  ["integer", 0],
  ["array", []],
  ["object", {}],
];

/** Values of types that the node does not allow; `what` says what it must be. */
export function strangersTo(node: SchemaNode, what?: string): Witness[] {
  const types = typesOf(node);
  const demand = what ?? types.map(withArticle).join(" or ");
  return VALUES.filter(([type]) => !types.some((allowed) => includesType(allowed, type))).map(
    ([type, value]) => ({
      name: `${type}-%`,
      why: `% is ${withArticle(type)}, but must be ${demand}`,
      toValue: () => value,
    }),
  );
}

/** Whether each value of the type `type` is of the type `allowed`. */
export function includesType(allowed: TypeName, type: TypeName): boolean {
  return allowed === type || (allowed === "number" && type === "integer");
}

/** A type's name as a noun, such as `an object`. */
export function withArticle(type: TypeName): string {
  if (type === "null") return type;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
