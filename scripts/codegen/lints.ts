import {
  type Definitions,
  definitionOf,
  linkDefinitions,
} from "../../conformance/schemas/definitions.js";
import {
  type LoadedSchemas,
  loadSchemas,
  type SourceSchema,
} from "../../conformance/schemas/load.js";
import { type PlacedNode, type SchemaNode, typesOf } from "../../conformance/schemas/nodes.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { REDACT } from "../../src/schemas/keywords.js";
import { refsOf, walkDefinitions } from "./definitions.js";
import { findProfileFaults } from "./profile.js";
import { REDACT_VALUES } from "./targets/typescript-redaction.js";

type RedactValue = (typeof REDACT_VALUES)[number];

export const redaction: Lint = {
  id: "redaction",
  purpose: `Every "${REDACT}" is known, and stands where it says something.`,
  *find({ schemas, definitions }) {
    for (const { file, document } of schemas) {
      for (const placed of walkDefinitions(document)) {
        const { node, pointer } = placed;
        if (!Object.hasOwn(node, REDACT)) continue;
        const message = findProblem(placed, definitions);
        if (message !== undefined) yield { file, pointer: `${pointer}/${REDACT}`, message };
      }
    }
  },
};

function findProblem({ node, path }: PlacedNode, definitions: Definitions): string | undefined {
  const said = node[REDACT];
  if (!isKnown(said)) return `is none of ${REDACT_VALUES.join(", ")}`;
  if (path.includes("additionalProperties"))
    return "is not read here: fields without a name are open";
  const types = typesOf(resolve(node, definitions));
  const isOf = (...some: readonly string[]): boolean =>
    types.some((type) => some.includes(type)) &&
    types.every((type) => type === "null" || some.includes(type));
  const problems: Readonly<Record<RedactValue, string | false>> = {
    record: (path.length !== 2 || !isOf("object")) && "is for definitions of objects",
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

/** The node itself, or what it refers to. */
function resolve(node: SchemaNode, definitions: Definitions): SchemaNode {
  const names = new Set<string>();
  let found = node;
  while (found.$ref !== undefined && !names.has(found.$ref)) {
    const name = found.$ref.replace(/^.*#\/\$defs\//, "");
    names.add(found.$ref);
    found = definitionOf(name, definitions).node;
  }
  return found;
}

export interface SchemaFaults {
  readonly schemaCount: number;
  /** How many locations of the schemas were looked at. */
  readonly locationCount: number;
  readonly faults: readonly FaultPlace[];
}

/**
 * All that is wrong with the schemas of the repository at `root`. Schemas that cannot be read, and references
 * that lead nowhere, are told alone: what would follow from them is noise.
 */
export function findSchemaFaults(root: string): SchemaFaults {
  const loaded = loadSchemas(root);
  return {
    schemaCount: loaded.schemas.length,
    locationCount: loaded.schemas.reduce(
      (sum, { document }) => sum + [...walkDefinitions(document)].length,
      0,
    ),
    faults: [...findFaults(loaded)],
  };
}

function* findFaults({ schemas, faults }: LoadedSchemas): Generator<FaultPlace> {
  if (faults.length > 0) return yield* faults.map(({ place }) => place);
  const unresolved: FaultPlace[] = [];
  const definitions = linkDefinitions(schemas, ({ place }) => unresolved.push(place));
  if (unresolved.length > 0) return yield* unresolved;
  for (const { place } of findProfileFaults(definitions)) yield place;
  for (const { id, find } of lints) {
    for (const fault of find({ schemas, definitions })) yield { ...fault, id };
  }
}

export const description: Lint = {
  id: "description",
  purpose: "Every schema, every definition and every property says what it is.",
  *find({ schemas }) {
    for (const { file, document } of schemas) {
      if (isBlank(document.description)) yield { file, pointer: "", message: PROBLEM };
      for (const { node, pointer, path } of walkDefinitions(document)) {
        const isNamed = path.at(-2) === "$defs" || path.at(-2) === "properties";
        if (isNamed && isBlank(node.description)) yield { file, pointer, message: PROBLEM };
      }
    }
  },
};

const PROBLEM = 'has no "description": say what it is, with unit and range';

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

/** Schemas that can be read, and whose references lead somewhere. */
export interface LintInput {
  readonly schemas: readonly SourceSchema[];
  readonly definitions: Definitions;
}

/** Something that a schema must be beyond what it takes to generate code from it. */
export interface Lint {
  /** Also the id of its findings. */
  readonly id: string;
  readonly purpose: string;
  find(input: LintInput): Iterable<Omit<FaultPlace, "id">>;
}

export const unreachable: Lint = {
  id: "unreachable",
  purpose: "Every definition is a part of the type of some line.",
  *find({ schemas, definitions }) {
    const reached = new Set<string>();
    for (const { entryTypes } of schemas) {
      for (const name of entryTypes) reach(name, definitions, reached);
    }
    for (const { name, schema } of definitions.values()) {
      if (reached.has(name)) continue;
      const message = "is part of no type of a line: list it in /anyOf, refer to it, or remove it";
      yield { file: schema.file, pointer: `/$defs/${name}`, message };
    }
  },
};

function reach(name: string, definitions: Definitions, reached: Set<string>): void {
  if (reached.has(name)) return;
  reached.add(name);
  for (const ref of refsOf(definitionOf(name, definitions).node)) reach(ref, definitions, reached);
}

/** Every lint, in the order in which findings are reported. */
export const lints: readonly Lint[] = [description, unreachable, redaction];
