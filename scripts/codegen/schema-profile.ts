import type { Definitions } from "../../conformance/schemas/definitions.js";
import type { FileFault } from "../../src/findings/finding.js";
import { findBaseFaults, findEntryFaults } from "./profile/find-base-faults.js";
import { findCycles } from "./profile/find-cycles.js";
import { findNodeFaults } from "./profile/find-node-faults.js";
import { placeOf, refuse } from "./profile/place.js";

/** Names that the generated modules use themselves, in TypeScript or in Python. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...["Any", "Invalid", "Iterator", "JsonValue", "Literal", "Mapping", "Record", "Type", "Unset"],
  ...["UNSET", "DEFINITIONS", "WireError", "WireFault", "None", "True", "False"],
  ...["Definitions", "DefinitionName", "EntryTypeName", "ValidationError", "Readonly"],
]);

/** Throws FileFault for the first thing that is not in the profile. */
export function assertProfile(definitions: Definitions): void {
  for (const fault of findProfileFaults(definitions)) throw fault;
}

/** What is not in the profile, each with its file and JSON Pointer. */
export function* findProfileFaults(definitions: Definitions): Generator<FileFault> {
  for (const definition of definitions.values()) {
    const { name, node } = definition;
    const place = placeOf(definition);
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || TAKEN_NAMES.has(name)) {
      yield refuse(place, "cannot name a type: use PascalCase, and no name of the generated code");
    }
    yield* findNodeFaults(node, place);
  }
  // First: what follows would not come to an end on a type that refers to itself.
  const cycles = [...findCycles(definitions)];
  yield* cycles;
  if (cycles.length > 0) return;
  for (const definition of definitions.values()) {
    yield* findBaseFaults(definition, definitions);
    yield* findEntryFaults(definition, definitions);
  }
}
