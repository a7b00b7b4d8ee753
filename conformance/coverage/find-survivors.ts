import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FaultPlace, Finding } from "../../src/findings/finding.js";
import { toFindings } from "../../src/findings/finding.js";
import { escapeControls } from "../../src/text.js";
import { createFixture } from "./create-fixture.js";
import { listLocations } from "./list-locations.js";
import { type Coverage, type JudgedMutant, survivorsOf } from "./measure-coverage.js";
import { printFixture } from "./print-fixture.js";

/** Id of all that the check finds. */
const id = "constraint-coverage";

/**
 * A finding for every mutant that survives, with a fixture that would kill it; for every keyword of
 * which there are no mutants; and for every place where fixtures and schemas contradict each other.
 */
export function findSurvivors(root: string, coverage: Coverage): Finding[] {
  const survivors = survivorsOf(coverage).map((mutant) => ({
    id,
    file: mutant.location.definition.schema.file,
    pointer: mutant.pointer,
    message: describeSurvivor(mutant),
    detail: printProposal(root, mutant, coverage),
  }));
  return toFindings(root, [...findUnknown(coverage), ...findContradicted(coverage), ...survivors]);
}

function findUnknown({ unknownKeywords }: Coverage): FaultPlace[] {
  return unknownKeywords.map(({ location: { definition, pointer }, keyword }) => ({
    id,
    file: definition.schema.file,
    pointer: `${pointer}/${keyword}`,
    message: `no mutation operator for "${keyword}": nobody knows whether a fixture pins it`,
  }));
}

function findContradicted({ contradictions, judge }: Coverage): FaultPlace[] {
  const locations = new Map(listLocations(judge.definitions).map((each) => [each.node, each]));
  return contradictions.map(({ fixture, node, keyword, message }) => {
    const location = node === undefined ? undefined : locations.get(node);
    if (location === undefined) return { id, file: fixture.file, message };
    const pointer = `${location.pointer}${keyword === undefined ? "" : `/${keyword}`}`;
    return { id, file: location.definition.schema.file, pointer, message };
  });
}

function describeSurvivor({ direction, change }: JudgedMutant): string {
  const lack =
    direction === "loosened" ? "no invalid fixture fails otherwise" : "no valid fixture fails";
  return `${lack} when the schema ${change.change}`;
}

function printProposal(root: string, mutant: JudgedMutant, { judge }: Coverage): string {
  const derived = createFixture(mutant, judge);
  if (derived === undefined) return "no fixture could be derived: write one by hand";
  const { file, text } = printFixture(derived, (path) => existsSync(join(root, path)));
  return [file, ...text.trimEnd().split("\n")].map(escapeControls).join("\n");
}
