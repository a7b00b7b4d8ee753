import type { FaultPlace } from "../../base/findings/finding.js";
import { type Definitions, definitionOf } from "../schemas/definitions.js";
import { REDACT } from "../schemas/keywords.js";
import { type LoadedSchemas, loadSchemas, type SourceSchema } from "../schemas/load.js";
import { type PlacedNode, type SchemaNode, typesOf } from "../schemas/nodes.js";
import { refsOf, walkDefinitions } from "./definitions.js";
import { findProfileFaults } from "./profile.js";
import { REDACT_VALUES } from "./targets/typescript-redaction.js";

type RedactValue = (typeof REDACT_VALUES)[number];

export const redaction: Lint = {
  id: "redaction",
  purpose: `Every "${REDACT}" has a known value, and has an effect at its place.`,
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
  if (!isKnown(said)) return `is not one of ${REDACT_VALUES.join(", ")}`;
  if (path.includes("additionalProperties"))
    return "has no effect here: fields without a name are open";
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

/** The node itself, or the definition that it refers to. */
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
  /** Number of schema locations that were examined. */
  readonly locationCount: number;
  readonly faults: readonly FaultPlace[];
}

/**
 * All faults in the schemas of the repository at `root`. Unreadable schemas are reported alone, because further faults
 * would only follow from them; beside broken references, what does not depend on them.
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
  if (faults.length > 0) return yield* faults;
  const { definitions, faults: found } = findProfileFaults(schemas);
  yield* found;
  if (found.some(({ id }) => id === "ref")) return;
  for (const { id, find } of lints) {
    for (const fault of find({ schemas, definitions })) yield { ...fault, id };
  }
}

export const description: Lint = {
  id: "description",
  purpose: "Every schema, every definition and every property has a description.",
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

/** The readable schemas whose references resolve. */
export interface LintInput {
  readonly schemas: readonly SourceSchema[];
  readonly definitions: Definitions;
}

/** A requirement for schemas beyond what code generation needs. */
export interface Lint {
  /** Also the id of its findings. */
  readonly id: string;
  readonly purpose: string;
  find(input: LintInput): Iterable<Omit<FaultPlace, "id">>;
}

export const unreachable: Lint = {
  id: "unreachable",
  purpose: "Every definition is used by a record type.",
  *find({ schemas, definitions }) {
    const reached = new Set<string>();
    for (const { entryTypes } of schemas) {
      for (const name of entryTypes) reach(name, definitions, reached);
    }
    for (const { name, schema } of definitions.values()) {
      if (reached.has(name)) continue;
      const message =
        "is not used by any record type: list it in /anyOf, refer to it, or remove it";
      yield { file: schema.file, pointer: `/$defs/${name}`, message };
    }
  },
};

function reach(name: string, definitions: Definitions, reached: Set<string>): void {
  if (reached.has(name)) return;
  reached.add(name);
  for (const ref of refsOf(definitionOf(name, definitions).node)) reach(ref, definitions, reached);
}

/** Every lint, in the order of the report. */
export const lints: readonly Lint[] = [description, unreachable, redaction];
