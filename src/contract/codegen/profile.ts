import { isSafePattern } from "redos-detector";
import { type FaultPlace, throwFaults } from "../../base/findings/finding.js";
import { type Definitions, definitionOf, findCycle } from "../schemas/definitions.js";
import { type SchemaNode, walkNodes } from "../schemas/nodes.js";
import { isWire } from "../schemas/registry-file.js";
import { refsOf } from "./definitions.js";
import type { LinkedSchemas } from "./front/link-files.js";
import { isPattern } from "./front/normal-form.js";
import { formatFailure } from "./python/conditions.js";
import { translatePattern } from "./python/patterns.js";

/** The schemas. Throws FileFault with all that generators cannot print. */
export function requireProfile(linked: LinkedSchemas): LinkedSchemas {
  throwFaults(findProfileFaults(linked));
  return linked;
}

/**
 * What is wrong with schemas, and what stays outside of the subset of JSON Schema that every generator supports: if it
 * were ignored, verdicts would differ between languages, or a text could block a validator. Each has file and pointer.
 */
export function findProfileFaults(linked: LinkedSchemas): FaultPlace[] {
  return [
    ...linked.faults,
    ...findNodeFaults(linked),
    ...findCircles(linked.definitions),
    ...findTierFaults(linked.definitions),
  ];
}

function* findNodeFaults({ definitions, placeOf }: LinkedSchemas): Generator<FaultPlace> {
  for (const definition of definitions.values()) {
    for (const { node } of walkNodes(definition.node)) {
      for (const [pattern, ...at] of patternsOf(node)) {
        const fault = findPatternFault(pattern);
        if (fault !== undefined) yield { ...refuse(fault), ...placeOf(node, ...at) };
      }
      if (node.format === undefined || formatFailure(node.format, "", () => "") !== undefined)
        continue;
      const message = `has the format "${node.format}", which nothing asserts alike in every language`;
      yield { ...refuse({ id: "format", message }), ...placeOf(node, "format") };
    }
  }
}

/** The patterns of a node, each with its place in it. */
function patternsOf({ pattern, patternProperties = {} }: SchemaNode): [string, ...string[]][] {
  const names = Object.keys(patternProperties);
  return [
    ...(pattern === undefined ? [] : [[pattern, "pattern"] as [string, string]]),
    ...names.map((name): [string, string, string] => [name, "patternProperties", name]),
  ];
}

interface PatternFault {
  readonly id: string;
  readonly message: string;
}

/** Verdicts on patterns, cached: there are few patterns, each used in many places. */
const verdicts = new Map<string, PatternFault | undefined>();

function findPatternFault(pattern: string): PatternFault | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, judgePattern(pattern));
  return verdicts.get(pattern);
}

function judgePattern(pattern: string): PatternFault | undefined {
  if (!isPattern(pattern)) {
    const message = `has a pattern that needs the flag "u" to be off: ${pattern}`;
    return { id: "pattern", message };
  }
  const translated = translatePattern(pattern);
  if ("refused" in translated) {
    return { id: "pattern", message: `has the pattern ${pattern}: ${translated.refused}` };
  }
  const message = findBacktracking(pattern);
  return message === undefined ? undefined : { id: "backtracking", message };
}

/**
 * Number of steps after which a pattern counts as dangerous. Most patterns that are safe need a few hundred, those of CycloneDX
 * up to 3,000; others take seconds and much memory until their score is known.
 */
const MAX_STEPS = 3000;

/**
 * Why an ECMAScript pattern may take more than linear time, so that one text could block every generated
 * validator; undefined if it cannot. Limited by steps and not by time, so that the verdict is the same on
 * every machine.
 */
function findBacktracking(pattern: string): string | undefined {
  const options = { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY };
  try {
    // The detector knows no names of groups.
    const { safe } = isSafePattern(withoutGroupNames(pattern), options);
    return safe ? undefined : `can take very long on some texts: ${pattern}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `is a pattern whose running time is unknown: ${reason}`;
  }
}

function withoutGroupNames(pattern: string): string {
  const parts = pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?<\w+>|./gsu);
  return [...parts].map(([part]) => (part.startsWith("(?<") ? "(" : part)).join("");
}

/** Python modules cannot import each other at load time. */
function* findCircles(definitions: Definitions): Generator<FaultPlace> {
  const files = new Map<string, string[]>();
  for (const { schema, node } of definitions.values()) {
    const targets = refsOf(node).flatMap((ref) => definitions.get(ref)?.schema.file ?? []);
    const others = targets.filter((file) => file !== schema.file);
    files.set(schema.file, [...(files.get(schema.file) ?? []), ...others]);
  }
  const circle = findCycle(files);
  if (circle === undefined) return;
  const message = `refers to itself through other schemas: ${circle.join(" > ")}`;
  yield { ...refuse({ id: "recursion", message }), file: circle[0] ?? "", pointer: "" };
}

/** What is generated for wire schemas alone has no definitions of the others. */
function* findTierFaults(definitions: Definitions): Generator<FaultPlace> {
  for (const { schema, node, pointer } of definitions.values()) {
    if (!isWire(schema)) continue;
    for (const name of refsOf(node)) {
      const { schema: other } = definitionOf(name, definitions);
      if (isWire(other)) continue;
      const message = `refers to ${name}, but ${other.file} is of tier "tool"`;
      yield { ...refuse({ id: "tier", message }), file: schema.file, pointer };
    }
  }
}

function refuse({ id, message }: PatternFault): PatternFault {
  return { id, message: `${message} (outside the profile that every generator supports)` };
}
