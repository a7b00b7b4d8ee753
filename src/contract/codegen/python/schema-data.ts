import { EXIT, UserError } from "../../../base/user-error.js";
import {
  isAnnotation,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../schemas/keywords.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { formatTest } from "./conditions.js";
import type { PythonDefinition, PythonModel } from "./model.js";
import { pythonLiteral, pythonString } from "./names.js";
import type { PatternNames } from "./patterns.js";

/** Keywords that no value is judged by. */
const IGNORED = ["$schema", "$id", "$defs", "tsType"];

/** The schemas of one module as Python data: those of its definitions, and parts of them that code judges values by. */
export class SchemaData {
  readonly #model: PythonModel;
  readonly #patterns: PatternNames;
  /** Parts that have a name. */
  readonly #parts = new Map<string, SchemaNode>();

  constructor(model: PythonModel, patterns: PatternNames) {
    this.#model = model;
    this.#patterns = patterns;
  }

  /** Names a part of a definition by its `place`, such as `Task.flags`; the name as Python code. */
  nameOf(node: SchemaNode, place: string): string {
    const name = partName(node, place, this.#model);
    if (name === pythonString(place) && !this.#model.has(place)) this.#parts.set(place, node);
    return name;
  }

  /** A function that returns all schemas by name. What has a name is written once. */
  print(definitions: readonly PythonDefinition[]): string[] {
    const lines: string[] = [];
    const variables = new Map<SchemaNode, string>();
    const all = [
      ...definitions.map(({ name, schemaNode }) => [name, schemaNode] as const),
      ...this.#parts,
    ];
    const named = new Set(all.map(([, node]) => node));
    const write = (node: SchemaNode): string => {
      const known = variables.get(node);
      if (known !== undefined || !named.has(node))
        return known ?? printNode(node, this.#patterns, write);
      const text = printNode(node, this.#patterns, write);
      const variable = `schema_${variables.size + 1}`;
      variables.set(node, variable);
      lines.push(`    ${variable}: dict[str, Any] = ${text}`);
      return variable;
    };
    const entries = all.map(([name, node]) => `        ${pythonString(name)}: ${write(node)},`);
    return ["def _schemas() -> dict[str, Any]:", ...lines, "    return {", ...entries, "    }"];
  }
}

/** The name of a part of a definition, as Python code: its own, or its `place`. */
export function partName(node: SchemaNode, place: string, model: PythonModel): string {
  const { $ref, ...more } = node;
  const isReference = $ref !== undefined && Object.keys(more).every(isAnnotation);
  return pythonString(isReference ? $ref : (model.lifted.get(node) ?? place));
}

/** A schema as a Python expression, without what has no effect. `write` prints the schemas in it. */
export function printNode(
  node: SchemaNode,
  patterns: PatternNames,
  write: (child: SchemaNode) => string = (child) => printNode(child, patterns),
): string {
  const entries = Object.entries(node).flatMap(([keyword, value]) => {
    if (isAnnotation(keyword) || IGNORED.includes(keyword) || isIdle(keyword, value)) return [];
    return [`${pythonString(keyword)}: ${printValue(node, keyword, value, patterns, write)}`];
  });
  return `{${entries.join(", ")}}`;
}

function printValue(
  node: SchemaNode,
  keyword: string,
  value: unknown,
  patterns: PatternNames,
  write: (child: SchemaNode) => string,
): string {
  const search = (pattern: string): string => `${patterns.nameOf(pattern)}.search`;
  if (keyword === "type") return tuple(typesOf(node).map(pythonString));
  if (keyword === "format") return printFormat(node.format ?? "", patterns);
  if (keyword === "pattern" && node.pattern !== undefined) {
    return tuple([pythonString(node.pattern), search(node.pattern)]);
  }
  if (keyword === "patternProperties") {
    const children = Object.entries(node.patternProperties ?? {});
    return `[${children.map(([pattern, child]) => tuple([search(pattern), write(child)])).join(", ")}]`;
  }
  if (typeof value !== "object" || value === null) return pythonLiteral(value);
  if (SINGLE_APPLICATORS.includes(keyword)) return write(value);
  const children = Object.entries<SchemaNode>({ ...value });
  if (LIST_APPLICATORS.includes(keyword)) {
    return `[${children.map(([, child]) => write(child)).join(", ")}]`;
  }
  if (!MAP_APPLICATORS.includes(keyword)) return pythonLiteral(value);
  return `{${children.map(([name, child]) => `${pythonString(name)}: ${write(child)}`).join(", ")}}`;
}

function printFormat(format: string, patterns: PatternNames): string {
  const test = formatTest(format, (...pattern) => patterns.nameOf(...pattern));
  if (test === undefined) {
    throw new UserError(`Python has no check of the format "${format}"`, EXIT.findings);
  }
  return tuple([pythonString(format), test]);
}

function isIdle(keyword: string, value: unknown): boolean {
  if (keyword === "additionalProperties" && value === true) return true;
  if (keyword !== "additionalProperties" && keyword !== "items") return false;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
}
