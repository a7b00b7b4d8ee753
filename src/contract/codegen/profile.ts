import { type FaultPlace, type FileFault, throwFaults } from "../../base/findings/finding.js";
import {
  type Definition,
  type Definitions,
  definitionOf,
  findCycle,
} from "../schemas/definitions.js";
import type { SchemaNode } from "../schemas/nodes.js";
import { isWire } from "../schemas/registry-file.js";
import { refsOf } from "./definitions.js";
import type { LinkedSchemas } from "./front/link-files.js";
import { below, findNodeFaults, placeOf, refuse } from "./profile-nodes.js";

/** The schemas. Throws FileFault with all features outside the profile. */
export function requireProfile(linked: LinkedSchemas): LinkedSchemas {
  throwFaults(findProfileFaults(linked));
  return linked;
}

/** What is wrong with schemas, each fault with file and JSON Pointer. */
export function findProfileFaults({ definitions, faults, idle }: LinkedSchemas): FaultPlace[] {
  const found = [...findOwnFaults(definitions), ...findLinkedFaults(definitions)];
  return [...faults, ...idle, ...found.map(({ place }) => place)];
}

function* findOwnFaults(definitions: Definitions): Generator<FileFault> {
  for (const definition of definitions.values()) {
    const { name, node, pointer } = definition;
    const place = placeOf(definition);
    if (pointer !== `/$defs/${name}`) {
      yield refuse(place, "cannot name a type: use PascalCase, and no name of the generated code");
    }
    yield* findNodeFaults(node, place);
  }
}

function* findLinkedFaults(definitions: Definitions): Generator<FileFault> {
  // First, because the following checks would not terminate for a type that refers to itself.
  const cycles = [...findCycles(definitions)];
  yield* cycles;
  if (cycles.length > 0) return;
  for (const definition of definitions.values()) {
    yield* findBaseFaults(definition, definitions);
    yield* findEntryFaults(definition, definitions);
    yield* findTierFaults(definition, definitions);
  }
}

/** What is generated for wire schemas alone has no definitions of the others. */
function* findTierFaults(definition: Definition, definitions: Definitions): Generator<FileFault> {
  if (!isWire(definition.schema)) return;
  for (const name of refsOf(definition.node)) {
    const { schema } = definitionOf(name, definitions);
    if (isWire(schema)) continue;
    const message = `refers to ${name}, but ${schema.file} is of tier "tool"`;
    yield refuse(placeOf(definition), message, "tier");
  }
}

/**
 * Deep values of a recursive type would exceed Python's recursion limit, but not Ajv's; and Python modules
 * cannot import each other at load time.
 */
export function* findCycles(definitions: Definitions): Generator<FileFault> {
  const types = new Map([...definitions].map(([name, { node }]) => [name, refsOf(node)]));
  const cycle = findCycle(types);
  if (cycle !== undefined) {
    const place = placeOf(definitionOf(cycle[0] ?? "", definitions));
    yield refuse(place, `refers to itself: ${cycle.join(" > ")}`, "recursion");
  }
  const files = new Map<string, string[]>();
  for (const { schema, node } of definitions.values()) {
    const targets = refsOf(node).map((ref) => definitionOf(ref, definitions).schema.file);
    const others = targets.filter((file) => file !== schema.file);
    files.set(schema.file, [...(files.get(schema.file) ?? []), ...others]);
  }
  const circle = findCycle(files);
  if (circle !== undefined) {
    const place = { file: circle[0] ?? "", pointer: "" };
    const message = `refers to itself through other schemas: ${circle.join(" > ")}`;
    yield refuse(place, message, "recursion");
  }
}

/** `allOf` must name open object types whose properties the type does not declare again. */
export function* findBaseFaults(
  definition: Definition,
  definitions: Definitions,
): Generator<FileFault> {
  const { node } = definition;
  const place = placeOf(definition);
  if (node.allOf === undefined) return;
  if (node.type !== "object" || node.additionalProperties !== undefined) {
    yield refuse(place, 'has "allOf" but is not an open object');
  }
  const second = findSecond(node, definitions);
  if (second !== undefined) {
    yield refuse(below(place, "allOf"), `has the base ${second} twice`);
    return;
  }
  const declared = new Set(Object.keys(node.properties ?? {}));
  for (const [index, member] of node.allOf.entries()) {
    const at = below(place, "allOf", `${index}`);
    const base = definitions.get(member.$ref ?? "")?.node;
    if (base === undefined || Object.keys(member).length > 1) {
      yield refuse(at, 'is more than a "$ref"');
      continue;
    }
    if (base.type !== "object" || base.additionalProperties !== undefined) {
      yield refuse(at, "refers to a definition that is not an open object");
      continue;
    }
    for (const name of propertiesOf(base, definitions)) {
      if (declared.has(name)) yield refuse(place, `declares "${name}" again`);
      declared.add(name);
    }
  }
}

/** Properties of a type and of its bases. Visits each base once, however many paths lead to it. */
function propertiesOf(
  node: SchemaNode,
  definitions: Definitions,
  met: Set<string> = new Set(),
): Set<string> {
  const names = new Set(Object.keys(node.properties ?? {}));
  for (const { $ref = "" } of node.allOf ?? []) {
    const base = met.has($ref) ? undefined : definitions.get($ref)?.node;
    met.add($ref);
    for (const name of base ? propertiesOf(base, definitions, met) : []) names.add(name);
  }
  return names;
}

/** The first base that a type reaches by two paths: printing would include both. */
function findSecond(
  node: SchemaNode,
  definitions: Definitions,
  met: Set<string> = new Set(),
): string | undefined {
  for (const { $ref = "" } of node.allOf ?? []) {
    if (met.has($ref)) return $ref;
    met.add($ref);
    const base = definitions.get($ref)?.node;
    const second = base && findSecond(base, definitions, met);
    if (second !== undefined) return second;
  }
  return undefined;
}

/** A record type is recognised by its properties. */
export function* findEntryFaults(
  definition: Definition,
  definitions: Definitions,
): Generator<FileFault> {
  const { name, node, schema } = definition;
  if (schema.entryTypes.includes(name) && propertiesOf(node, definitions).size === 0) {
    yield refuse(
      placeOf(definition),
      "is a record type, but not an object with properties",
      "entry-type",
    );
  }
}
