import type { FaultPlace } from "../../base/findings/finding.js";
import { pointerTokens } from "../../base/json/pointer.js";
import { editDistance, findNearest } from "../../base/text.js";
import { type Definitions, declaredIn, definitionOf } from "../schemas/definitions.js";
import { ANNOTATIONS, REDACT } from "../schemas/keywords.js";
import { type PlacedNode, type SchemaNode, typesOf, walkNodes } from "../schemas/nodes.js";
import { refsOf } from "./definitions.js";
import type { LinkedSchemas } from "./front/link-files.js";
import { CONSTRAINTS } from "./front/normal-form.js";
import { findProfileFaults } from "./profile.js";
import { REDACT_VALUES } from "./targets/typescript-redaction.js";

type RedactValue = (typeof REDACT_VALUES)[number];

export const redaction: Lint = {
  id: "redaction",
  purpose: `Every "${REDACT}" has a known value, and has an effect at its place.`,
  *find({ definitions, placeOf }) {
    for (const placed of walkAll(definitions)) {
      if (!Object.hasOwn(placed.node, REDACT)) continue;
      const message = findProblem(placed, definitions);
      if (message !== undefined) yield { ...placeOf(placed.node, REDACT), message };
    }
  },
};

function findProblem({ node, path }: PlacedNode, definitions: Definitions): string | undefined {
  const said = node[REDACT];
  if (!isKnown(said)) return `is not one of ${REDACT_VALUES.join(", ")}`;
  if (path.includes("additionalProperties"))
    return "has no effect here: fields without a name are open";
  const types = typesOf(resolve(node, definitions));
  const isOf = (...some: readonly string[]): boolean =>
    types.some((type) => some.includes(type)) &&
    types.every((type) => type === "null" || some.includes(type));
  const problems: Readonly<Record<RedactValue, string | false>> = {
    record: (path.length > 0 || !isOf("object")) && "is for definitions of objects",
    identifier: !isOf("string") && "is for texts",
    fixed: node.pattern === undefined && 'is for texts with a "pattern" beside it',
    measures: !isOf("object", "array") && "is for objects and arrays",
    open: false,
  };
  return problems[said] || undefined;
}

function isKnown(said: unknown): said is RedactValue {
  return REDACT_VALUES.some((value) => value === said);
}

/** The node itself, or the definition that it refers to. */
function resolve(node: SchemaNode, definitions: Definitions): SchemaNode {
  const names = new Set<string>();
  let found = node;
  while (found.$ref !== undefined && !names.has(found.$ref)) {
    names.add(found.$ref);
    found = definitionOf(found.$ref, definitions).node;
  }
  return found;
}

export interface SchemaFaults {
  readonly schemaCount: number;
  /** Number of schema locations that were examined. */
  readonly locationCount: number;
  readonly faults: readonly FaultPlace[];
  /** What is allowed, and seldom meant. */
  readonly warnings: readonly FaultPlace[];
}

/**
 * All faults in the schemas of a repository. Unreadable schemas are reported alone, because further faults would only follow
 * from them; beside broken references, what does not depend on them. `isOurs`: the repository is ours, and keeps our style.
 */
export function findSchemaFaults(linked: LinkedSchemas, isOurs = true): SchemaFaults {
  return {
    schemaCount: linked.schemas.length,
    locationCount: [...walkAll(linked.definitions)].length,
    faults: [...findFaults(linked, isOurs)],
    warnings: [...untyped.find(linked, isOurs)].map((place) => ({ ...place, id: untyped.id })),
  };
}

function* findFaults(linked: LinkedSchemas, isOurs: boolean): Generator<FaultPlace> {
  yield* findProfileFaults(linked);
  for (const { id, find, isStyle } of lints) {
    if (isStyle && !isOurs) continue;
    for (const fault of find(linked, isOurs)) yield { ...fault, id };
  }
}

/** All nodes of all definitions; the path begins at the definition. */
function* walkAll(definitions: Definitions): Generator<PlacedNode> {
  for (const { node } of definitions.values()) yield* walkNodes(node);
}

export const description: Lint = {
  id: "description",
  purpose: "Every schema, every definition and every property has a description.",
  isStyle: true,
  *find({ schemas, definitions, placeOf }) {
    for (const { file, document } of schemas) {
      if (isBlank(document.description)) yield { file, pointer: "", message: PROBLEM };
    }
    for (const { node, path } of walkAll(definitions)) {
      const isNamed = path.length === 0 || path.at(-2) === "properties";
      if (isNamed && isBlank(node.description)) yield { ...placeOf(node), message: PROBLEM };
    }
  },
};

const PROBLEM = 'has no "description": say what it is, with unit and range';

function isBlank(text: unknown): boolean {
  return typeof text !== "string" || text.trim() === "";
}

/** A requirement for schemas beyond what code generation needs. */
export interface Lint {
  /** Also the id of its findings. */
  readonly id: string;
  readonly purpose: string;
  /** Whether it asks for our style, which other owners need not share. */
  readonly isStyle?: boolean;
  find(linked: LinkedSchemas, isOurs: boolean): Iterable<Omit<FaultPlace, "id">>;
}

export const unreachable: Lint = {
  id: "unreachable",
  purpose: "Every definition is used by a record type.",
  isStyle: true,
  *find({ schemas, definitions }) {
    const reached = new Set<string>();
    for (const { entryTypes } of schemas) {
      for (const name of entryTypes) reach(name, definitions, reached);
    }
    for (const { name, schema, pointer } of definitions.values()) {
      if (reached.has(name)) continue;
      const message =
        "is not used by any record type: list it in /anyOf, refer to it, or remove it";
      yield { file: schema.file, pointer, message };
    }
  },
};

function reach(name: string, definitions: Definitions, reached: Set<string>): void {
  if (reached.has(name)) return;
  reached.add(name);
  for (const ref of refsOf(definitionOf(name, definitions).node)) reach(ref, definitions, reached);
}

export const names: Lint = {
  id: "name",
  purpose: "Every definition is called in code as in its schema.",
  isStyle: true,
  *find({ definitions }) {
    for (const { name, schema, pointer } of definitions.values()) {
      const [key = ""] = pointerTokens(pointer).slice(-1);
      if (key === name || pointer === "") continue;
      yield {
        file: schema.file,
        pointer,
        message: `is called ${name} in code: give it a name in PascalCase that nothing else has`,
      };
    }
  },
};

export const entryType: Lint = {
  id: "entry-type",
  purpose: "Every record type is an object with properties, by which records are recognised.",
  isStyle: true,
  *find({ definitions }) {
    for (const { name, schema, node, pointer } of definitions.values()) {
      if (!schema.entryTypes.includes(name)) continue;
      if (Object.keys(declaredIn(node, definitions).properties).length > 0) continue;
      const message = "is a record type, but not an object with properties";
      yield { file: schema.file, pointer, message };
    }
  },
};

export const meaning: Lint = {
  id: "keyword",
  purpose: "Every keyword has a meaning; those of other owners are no misspelt ones.",
  find: ({ idle }, isOurs) => (isOurs ? idle : idle.filter(isMisspelt)),
};

/** Whether a keyword without meaning is a constraint but for one letter. */
function isMisspelt({ pointer = "" }: FaultPlace): boolean {
  const keyword = pointerTokens(pointer).at(-1) ?? "";
  const nearest = findNearest(keyword, [...ANNOTATIONS, ...CONSTRAINTS]) ?? "";
  return CONSTRAINTS.has(nearest) && editDistance(keyword, nearest) === 1;
}

const OBJECT_KEYWORDS = ["properties", "required", "additionalProperties", "patternProperties"];

/** Whether a node says by itself, or by what applies together with it, that values are of one type. */
const isTyped = ({ type, $ref, enum: values, const: value, allOf }: SchemaNode): boolean =>
  [type, $ref, values, value, allOf].some((each) => each !== undefined);

/** Allowed, because many schemas do so in a union, an `if` or beside a reference. */
export const untyped: Lint = {
  id: "untyped",
  purpose: "A definition with keywords for objects says that it is an object.",
  *find({ definitions, placeOf }) {
    for (const { node, path } of walkAll(definitions)) {
      const keyword = OBJECT_KEYWORDS.find((each) => Object.hasOwn(node, each));
      const isWhole = path.length === 0 || ["properties", "$defs"].includes(path.at(-2) ?? "");
      if (keyword === undefined || !isWhole || isTyped(node)) continue;
      const message = `has "${keyword}" without a type, so it accepts every text, number and array: add "type": "object"`;
      yield { ...placeOf(node, keyword), message };
    }
  },
};

/** Every lint whose findings are faults, in the order of the report. */
export const lints: readonly Lint[] = [
  meaning,
  names,
  entryType,
  description,
  unreachable,
  redaction,
];
