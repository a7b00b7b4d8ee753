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
import type { FaultPlace } from "../../src/findings/finding.js";
import { refsOf, walkDefinitions } from "./definitions.js";
import { redaction } from "./lints/redaction.js";
import { findProfileFaults } from "./profile.js";

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
  /** Also the name of its file, and the id of its findings. */
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
