import type { Definitions } from "../../../src/contract/schemas/definitions.js";
import { basesOf } from "../../../src/contract/schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../../src/contract/schemas/nodes.js";
import { createSample } from "../samples.js";
import type { Change, Mutation, Operator, Witness } from "./operator.js";
import { includesType, NEVER, present, strangersTo, withArticle } from "./operator.js";

export const type: Operator = {
  keyword: "type",
  purpose: "a value of another type, null or a fraction is refused, and each allowed type is used",
  loosen(node, definitions) {
    const types = typesOf(node);
    if (types.length === 0) return [];
    const { type: _, ...untyped } = node;
    const witnesses = strangersTo(node);
    const changes: Mutation[] = [
      { at: ["type"], change: "allows any type", mutant: untyped, witnesses },
    ];
    if (!types.includes("null")) changes.push(widen(node, "null", witnesses));
    if (types.includes("integer")) changes.push(widen(node, "number", [fraction(node)]));
    if (!isInherited(node, definitions)) return changes;
    return changes.map(({ at, change }) => ({ at, change, reason: INHERITED }));
  },
  tighten(node, definitions) {
    const types = typesOf(node);
    const [only, ...others] = types;
    if (only === undefined) return [];
    if (others.length > 0) {
      return types.map((member, index): Change => {
        const at = ["type", String(index)];
        const change = `does not allow ${withArticle(member)}`;
        if (!hasLiteralOf(node, member)) return { at, change, reason: NO_LITERAL };
        const mutant = { ...node, type: types.filter((other) => other !== member) };
        const sample: Witness = {
          name: `${member}-%`,
          why: `% is ${withArticle(member)}, which is allowed`,
          toValue: () => createSample({ ...node, type: member }, definitions),
        };
        return { at, change, mutant, witnesses: [sample] };
      });
    }
    const changes: Change[] = [
      { at: ["type"], change: "allows no type", mutant: NEVER, witnesses: [present] },
    ];
    if (only === "number") changes.push(toInteger(node));
    return changes;
  },
};

const INHERITED = "what this type extends allows no other type either";

/** Whether a base has the same types as the node, or fewer. */
function isInherited(node: SchemaNode, definitions: Definitions): boolean {
  const types = typesOf(node);
  return basesOf(node, definitions).some((base) => {
    const allowed = typesOf(base);
    return allowed.length > 0 && allowed.every((type) => types.includes(type));
  });
}

const NO_LITERAL = "no value of the enum or const is of this type";

function widen(node: SchemaNode, added: TypeName, witnesses: readonly Witness[]): Mutation {
  const types = typesOf(node).filter((member) => !includesType(added, member));
  return {
    at: ["type"],
    change: `allows ${withArticle(added)} too`,
    mutant: { ...node, type: [...types, added] },
    witnesses,
  };
}

function toInteger(node: SchemaNode): Change {
  const at = ["type"];
  const change = "allows integers only";
  const literals = literalsOf(node);
  if (literals?.every(Number.isInteger)) return { at, change, reason: "its values are integers" };
  const witness = { ...fraction(node), why: "% is a fraction, which is allowed" };
  return { at, change, mutant: { ...node, type: "integer" }, witnesses: [witness] };
}

/** Half a step above the lowest allowed value, or between both limits. */
function fraction({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode): Witness {
  const low = minimum ?? exclusiveMinimum;
  const high = maximum ?? exclusiveMaximum;
  const below = high === undefined ? 0.5 : high - 0.5;
  const between = low !== undefined && high !== undefined && high - low <= 1;
  const value = between ? (low + high) / 2 : low === undefined ? below : low + 0.5;
  return {
    name: "fractional-%",
    why: "% is a fraction, but must be an integer",
    toValue: () => value,
  };
}

function literalsOf(node: SchemaNode): readonly unknown[] | undefined {
  return node.const === undefined ? node.enum : [node.const];
}

function hasLiteralOf(node: SchemaNode, member: TypeName): boolean {
  const literals = literalsOf(node);
  return literals === undefined || literals.some((literal) => isOfType(literal, member));
}

function isOfType(value: unknown, member: TypeName): boolean {
  if (value === null) return member === "null";
  if (Array.isArray(value)) return member === "array";
  if (member === "integer") return Number.isInteger(value);
  return typeof value === member;
}
