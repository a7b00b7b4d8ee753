import type { SchemaNode } from "../../../src/contract/schemas/nodes.js";
import { type Change, type Mutation, NEVER, type Operator } from "./operator.js";

/** A mutant whose fixtures nobody foresees: the solver looks for them. */
function toMutation(at: readonly string[], change: string, mutant: SchemaNode): Mutation {
  return { at, change, mutant, witnesses: [] };
}

type ListKeyword = "anyOf" | "oneOf" | "prefixItems";

/** Each member in turn accepts nothing. */
function withoutEach(node: SchemaNode, keyword: ListKeyword, change: string): Mutation[] {
  return (node[keyword] ?? []).map((_, index) => {
    const members = node[keyword]?.with(index, NEVER);
    const mutant = { ...node, [keyword]: members };
    return toMutation([keyword, `${index}`], `${change} ${index + 1}`, mutant);
  });
}

/** The node without some keywords. */
function without(node: SchemaNode, ...keywords: readonly (keyof SchemaNode)[]): SchemaNode {
  const kept: Record<string, unknown> = { ...node };
  for (const keyword of keywords) delete kept[keyword];
  return kept;
}

export const anyOf: Operator = {
  keyword: "anyOf",
  purpose: "a value that no member accepts is refused, and each member is used",
  loosen(node) {
    if (node.anyOf === undefined) return [];
    return [toMutation(["anyOf"], "accepts what no member does", without(node, "anyOf"))];
  },
  tighten: (node) => withoutEach(node, "anyOf", "has no member"),
};

export const oneOf: Operator = {
  keyword: "oneOf",
  purpose: "a value that no member accepts, or several, is refused, and each member is used",
  loosen(node) {
    if (node.oneOf === undefined) return [];
    const { oneOf: members, ...free } = node;
    const any = { ...free, allOf: [...(node.allOf ?? []), { anyOf: members }] };
    return [
      toMutation(["oneOf"], "accepts what no member does", free),
      toMutation(["oneOf"], "accepts what several members do", any),
    ];
  },
  tighten: (node) => withoutEach(node, "oneOf", "has no member"),
};

export const not: Operator = {
  keyword: "not",
  purpose: "a value of the excluded kind is refused, and others are used",
  loosen(node) {
    if (node.not === undefined) return [];
    return [toMutation(["not"], "excludes nothing", without(node, "not"))];
  },
  tighten(node) {
    if (node.not === undefined) return [];
    return [toMutation(["not"], "excludes everything", { ...node, not: {} })];
  },
};

/** Of `if`, the branches are mutated: what it accepts, its own keywords say. */
export const condition: Operator = {
  keyword: "if",
  purpose: "each branch refuses something, and is used",
  loosen: (node) =>
    branchesOf(node).map((branch) =>
      toMutation([branch], `demands nothing in its "${branch}"`, without(node, branch)),
    ),
  tighten: (node) =>
    branchesOf(node).map((branch) =>
      toMutation([branch], `accepts nothing in its "${branch}"`, { ...node, [branch]: NEVER }),
    ),
};

/** Without `if`, they mean nothing. */
function branchesOf(node: SchemaNode): ("then" | "else")[] {
  if (node.if === undefined) return [];
  return (["then", "else"] as const).filter((branch) => node[branch] !== undefined);
}

export const prefixItems: Operator = {
  keyword: "prefixItems",
  purpose: "an array has an item at each place in some fixture",
  // Removing their schemas is not tried here: the mutants of their own keywords cover that.
  loosen: () => [],
  tighten: (node) => withoutEach(node, "prefixItems", "allows no item"),
};

export const contains: Operator = {
  keyword: "contains",
  purpose: "an array without such an item is refused, and one with it is used",
  loosen(node) {
    if (node.contains === undefined) return [];
    const mutant = without(node, "contains", "minContains", "maxContains");
    return [toMutation(["contains"], "demands no item", mutant)];
  },
  tighten(node) {
    if (node.contains === undefined) return [];
    return [toMutation(["contains"], "accepts no array", { ...node, items: NEVER })];
  },
};

export const uniqueItems: Operator = {
  keyword: "uniqueItems",
  purpose: "an array with equal items is refused, and one with several items is used",
  loosen(node) {
    if (node.uniqueItems !== true) return [];
    return [toMutation(["uniqueItems"], "allows equal items", without(node, "uniqueItems"))];
  },
  tighten(node) {
    if (node.uniqueItems !== true) return [];
    return [toMutation(["uniqueItems"], "allows one item at most", { ...node, maxItems: 1 })];
  },
};

export const multipleOf: Operator = {
  keyword: "multipleOf",
  purpose: "a number between two multiples is refused, and an odd multiple is used",
  loosen(node) {
    if (node.multipleOf === undefined) return [];
    return [toMutation(["multipleOf"], "allows other numbers", without(node, "multipleOf"))];
  },
  tighten(node) {
    const { multipleOf: step } = node;
    if (step === undefined) return [];
    const mutant = { ...node, multipleOf: Number((step * 2).toPrecision(15)) };
    return [toMutation(["multipleOf"], `has multipleOf ${mutant.multipleOf}`, mutant)];
  },
};

type CountKeyword = "minContains" | "maxContains" | "minProperties" | "maxProperties";

/** A count is moved by one. */
function createCountOperator(keyword: CountKeyword, purpose: string): Operator {
  const outward = keyword.startsWith("min") ? -1 : 1;
  const isIdle = (node: SchemaNode): boolean =>
    keyword.endsWith("Contains") && node.contains === undefined;
  const move = (node: SchemaNode, by: number): Change[] => {
    const { [keyword]: count } = node;
    if (count === undefined || isIdle(node)) return [];
    const at = [keyword];
    if (count + by < 0) return [{ at, change: `has no ${keyword}`, reason: "no count is below 0" }];
    return [toMutation(at, `has ${keyword} ${count + by}`, { ...node, [keyword]: count + by })];
  };
  return {
    keyword,
    purpose,
    loosen: (node) => move(node, outward),
    tighten(node) {
      const { [keyword]: count } = node;
      if (count !== 0 || outward < 0) return move(node, -outward);
      if (isIdle(node)) return [];
      return [toMutation([keyword], "accepts nothing", { ...node, ...NEVER })];
    },
  };
}

export const minContains = createCountOperator(
  "minContains",
  "an array with one such item less is refused, and one with the fewest is used",
);

export const maxContains = createCountOperator(
  "maxContains",
  "an array with one such item more is refused, and one with the most is used",
);

export const minProperties = createCountOperator(
  "minProperties",
  "an object with one property less is refused, and one with the fewest is used",
);

export const maxProperties = createCountOperator(
  "maxProperties",
  "an object with one property more is refused, and one with the most is used",
);

/** Each entry is dropped, or refuses what it is about. */
function createMapOperator(
  keyword: "patternProperties" | "dependentSchemas",
  purpose: string,
  what: string,
): Operator {
  return {
    keyword,
    purpose,
    loosen: (node) =>
      Object.keys(node[keyword] ?? {}).map((name) => {
        const mutant = { ...node, [keyword]: { ...node[keyword], [name]: {} } };
        return toMutation(
          [keyword, name],
          `demands nothing of ${what} ${JSON.stringify(name)}`,
          mutant,
        );
      }),
    tighten: (node) =>
      Object.keys(node[keyword] ?? {}).map((name) => {
        const mutant = { ...node, [keyword]: { ...node[keyword], [name]: NEVER } };
        return toMutation([keyword, name], `allows no ${what} ${JSON.stringify(name)}`, mutant);
      }),
  };
}

export const patternProperties = createMapOperator(
  "patternProperties",
  "properties of each pattern are held to its schema, and used",
  "property of the pattern",
);

export const dependentSchemas = createMapOperator(
  "dependentSchemas",
  "an object with the property is held to the schema, and used",
  "object with",
);

export const dependentRequired: Operator = {
  keyword: "dependentRequired",
  purpose: "each field is demanded beside the other, and the other is used",
  loosen: (node) =>
    Object.entries(node.dependentRequired ?? {}).flatMap(([name, demanded]) =>
      demanded.map((field, index) => {
        const kept = demanded.filter((other) => other !== field);
        const mutant = { ...node, dependentRequired: { ...node.dependentRequired, [name]: kept } };
        const change = `does not require ${JSON.stringify(field)} beside ${JSON.stringify(name)}`;
        return toMutation(["dependentRequired", name, `${index}`], change, mutant);
      }),
    ),
  tighten: (node) =>
    Object.keys(node.dependentRequired ?? {}).map((name) => {
      const mutant = { ...node, dependentSchemas: { ...node.dependentSchemas, [name]: NEVER } };
      return toMutation(["dependentRequired", name], `forbids ${JSON.stringify(name)}`, mutant);
    }),
};

export const propertyNames: Operator = {
  keyword: "propertyNames",
  purpose: "a name of another kind is refused, and some name is used",
  loosen(node) {
    if (node.propertyNames === undefined) return [];
    return [toMutation(["propertyNames"], "allows any name", without(node, "propertyNames"))];
  },
  tighten(node) {
    if (node.propertyNames === undefined) return [];
    return [toMutation(["propertyNames"], "allows no property", { ...node, propertyNames: NEVER })];
  },
};
