import { EXIT, UserError } from "../../src/user-error.js";
import { declaredIn } from "../schemas/declared.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import { type SchemaNode, typesOf } from "../schemas/schema-node.js";
import { MAX_DERIVED_LENGTH } from "./max-derived-length.js";
import { sampleFormat } from "./sample-format.js";
import { samplePattern } from "./sample-pattern.js";

/**
 * The smallest valid value of `node`: only required fields, the shortest arrays and texts, the
 * lowest numbers. It is a proposal: keywords that contradict each other have no sample, nor has what must be
 * longer than MAX_DERIVED_LENGTH.
 *
 * Throws UserError when a definition requires itself, so that no finite value is valid.
 */
export function createSample(node: SchemaNode, definitions: Definitions): unknown {
  return sampleOf(node, definitions, []);
}

function sampleOf(node: SchemaNode, definitions: Definitions, path: readonly string[]): unknown {
  const { $ref } = node;
  if ($ref !== undefined) {
    if (path.includes($ref)) {
      const cycle = [...path, $ref].join(" > ");
      throw new UserError(`no finite record is valid: ${cycle} requires itself`, EXIT.findings);
    }
    return sampleOf(definitionOf($ref, definitions).node, definitions, [...path, $ref]);
  }
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  const [type = "string"] = typesOf(node);
  if (type === "object") {
    const { properties, required } = declaredIn(node, definitions);
    const fields = required.map((name) => [
      name,
      sampleOf(properties[name] ?? {}, definitions, path),
    ]);
    return Object.fromEntries(fields);
  }
  if (type === "array") {
    const length = Math.min(node.minItems ?? 0, MAX_DERIVED_LENGTH);
    return length === 0 ? [] : Array(length).fill(sampleOf(node.items ?? {}, definitions, path));
  }
  if (type === "null") return null;
  if (type === "boolean") return false;
  return type === "string" ? sampleText(node) : sampleNumber(node, type === "integer");
}

function sampleText({ pattern, format, minLength = 0 }: SchemaNode): string {
  if (pattern !== undefined) return samplePattern(pattern) ?? "";
  if (format !== undefined) return sampleFormat(format);
  return "a".repeat(Math.min(minLength, MAX_DERIVED_LENGTH));
}

function sampleNumber(node: SchemaNode, isInteger: boolean): number {
  const step = isInteger ? 1 : 0.05;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = node;
  if (minimum !== undefined) return minimum;
  if (exclusiveMinimum !== undefined) return exclusiveMinimum + step;
  const highest = maximum ?? (exclusiveMaximum === undefined ? 0 : exclusiveMaximum - step);
  return Math.min(0, highest);
}
