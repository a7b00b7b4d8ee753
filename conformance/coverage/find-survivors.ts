import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeControls } from "../../src/records/escape-controls.js";
import { createFinding } from "../create-finding.js";
import type { Finding } from "../finding.js";
import { createFixture } from "./create-fixture.js";
import { type Coverage, type JudgedMutant, survivorsOf } from "./measure-coverage.js";
import { printFixture } from "./print-fixture.js";

/**
 * A finding for every mutant that survives, with a fixture that would kill it, and one for every
 * keyword of which there are no mutants.
 */
export function findSurvivors(root: string, coverage: Coverage): Finding[] {
  const texts = new Map(
    coverage.schemas.map(({ file }) => [file, readFileSync(join(root, file), "utf8")]),
  );
  const create = (file: string, pointer: string, message: string, detail?: string): Finding =>
    createFinding({
      id: "constraint-coverage",
      file,
      source: texts.get(file) ?? "",
      pointer,
      message,
      ...(detail !== undefined && { detail }),
    });
  const unknown = coverage.unknownKeywords.map(({ location, keyword }) => {
    const { definition, pointer } = location;
    const message = `no mutation operator for "${keyword}": nobody knows whether a fixture pins it`;
    return create(definition.schema.file, `${pointer}/${keyword}`, message);
  });
  const survivors = survivorsOf(coverage).map((mutant) =>
    create(
      mutant.location.definition.schema.file,
      mutant.pointer,
      describeSurvivor(mutant),
      printProposal(root, mutant, coverage),
    ),
  );
  return [...unknown, ...survivors];
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
  // JSON text holds no control characters but the line breaks between its lines.
  return [file, ...text.trimEnd().split("\n")].map(escapeControls).join("\n");
}
