import { isJsonObject } from "../../src/base/json/value.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { patternAutomaton } from "../../src/contract/compat/solver/logic/patterns.js";
import { findMatch } from "../../src/contract/compat/solver/logic/shortest-match.js";
import {
  type Definitions,
  declaredIn,
  definitionOf,
} from "../../src/contract/schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../src/contract/schemas/nodes.js";

/**
 * The smallest valid value of `node`: required fields only, the shortest arrays and strings, the lowest
 * numbers. It is only a candidate: there is none for contradictory keywords, or for values longer than
 * MAX_DERIVED_LENGTH.
 *
 * Throws UserError if a definition requires itself, so that no finite value is valid.
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

/** How often definitions are completed that were completed before: they may meet in exponentially many places. */
const MAX_REPEATS = 30;

/**
 * `value`, which `node` describes, with a sample of every declared property that it lacks, at any depth; after MAX_REPEATS,
 * those of each definition at its first place alone. It may be invalid where properties exclude each other.
 */
export function completeSample(
  value: unknown,
  node: SchemaNode,
  definitions: Definitions,
): unknown {
  return completeOf(value, node, { definitions, completed: new Set(), repeats: 0 }, []);
}

interface Completion {
  readonly definitions: Definitions;
  readonly completed: Set<string>;
  repeats: number;
}

function completeOf(
  value: unknown,
  node: SchemaNode,
  completion: Completion,
  path: readonly string[],
): unknown {
  const { definitions, completed } = completion;
  const { $ref } = node;
  if ($ref !== undefined) {
    if (completed.has($ref)) completion.repeats += 1;
    if (path.includes($ref) || (completed.has($ref) && completion.repeats > MAX_REPEATS))
      return value;
    completed.add($ref);
    return completeOf(value, definitionOf($ref, definitions).node, completion, [...path, $ref]);
  }
  const complete = (child: unknown, childNode: SchemaNode): unknown =>
    completeOf(child, childNode, completion, path);
  if (Array.isArray(value)) return value.map((item) => complete(item, node.items ?? {}));
  if (!isJsonObject(value)) return value;
  const { properties } = declaredIn(node, definitions);
  const declared = Object.entries(properties).map(([name, child]) => [
    name,
    complete(Object.hasOwn(value, name) ? value[name] : createSample(child, definitions), child),
  ]);
  return { ...value, ...Object.fromEntries(declared) };
}

function sampleText({ pattern, format, minLength = 0 }: SchemaNode): string {
  if (pattern !== undefined) return sampleMatch(pattern, minLength) ?? "";
  if (format !== undefined) return sampleFormat(format);
  return "a".repeat(Math.min(minLength, MAX_DERIVED_LENGTH));
}

/** Characters that are tried for a text that matches a pattern. */
const MAX_TRIED = 2 ** 18;

/**
 * A shortest text that matches a pattern; undefined if the pattern is too complex, or no derivable text
 * matches.
 */
function sampleMatch(pattern: string, min: number): string | undefined {
  // Patterns without an automaton would have to be tried out, which may take too long.
  if (patternAutomaton(pattern) === undefined) return undefined;
  let tried = 0;
  const step = (): void => {
    tried += 1;
    if (tried > MAX_TRIED) throw new TooManyTried();
  };
  const request = { matching: [pattern], notMatching: [], excluded: new Set<string>() };
  try {
    const word = findMatch({ ...request, min, max: MAX_DERIVED_LENGTH, step });
    return word.kind === "found" ? word.text : undefined;
  } catch (error) {
    if (error instanceof TooManyTried) return undefined;
    throw error;
  }
}

class TooManyTried extends Error {}

function sampleNumber(node: SchemaNode, isInteger: boolean): number {
  const step = isInteger ? 1 : 0.05;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = node;
  if (minimum !== undefined) return minimum;
  if (exclusiveMinimum !== undefined) return exclusiveMinimum + step;
  const highest = maximum ?? (exclusiveMaximum === undefined ? 0 : exclusiveMaximum - step);
  return Math.min(0, highest);
}

/** One text for each common format; other formats need a fixture written by hand. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "12:30:00Z",
  "date-time": "2026-01-31T12:30:00Z",
  email: "someone@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  "uri-reference": "/path",
  uuid: "6f1c0d1e-4b3a-4c2d-8e9f-0a1b2c3d4e5f",
  "json-pointer": "/field",
};

/** A text of the format; "" for an unknown format. */
export function sampleFormat(format: string): string {
  return SAMPLES[format] ?? "";
}

/**
 * Maximum length of derived strings and arrays: nobody would read longer fixtures. No fixture is derived for
 * larger limits, so an odd schema cannot exhaust memory.
 */
export const MAX_DERIVED_LENGTH = 2 ** 16;
