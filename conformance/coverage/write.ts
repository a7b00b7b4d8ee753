import { escapeControls, formatCount } from "../../src/base/text.js";
import { requireSound } from "../fixtures/load.js";
import { addCases } from "../fixtures/suite.js";
import type { Workspace } from "../workspace.js";
import { createMissingFixtures } from "./missing.js";

/** What was written, and what could not be derived. */
export interface WrittenFixtures {
  /** Lines for people. */
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Writes the fixtures that constraint coverage lacks, as cases at the end of suites: nothing that is there changes. Throws
 * UserError (exit 1) if a file of fixtures has a fault.
 */
export async function writeFixtures(workspace: Workspace): Promise<WrittenFixtures> {
  requireSound(await workspace.suites());
  const coverage = await workspace.measure();
  const { created, stuck, bare } = createMissingFixtures(coverage);
  addCases(workspace.root, created, coverage.folder);
  const files = new Map<string, number>();
  for (const { file } of created) files.set(file, (files.get(file) ?? 0) + 1);
  const lines = [
    ...[...files].map(([file, count]) => `${file}: ${formatCount(count, "fixture")} added`),
    ...bare.map((type) => `${type}: write a valid record by hand`),
    ...stuck.map(({ location, pointer, change: { change } }) => {
      const { file } = location.definition.schema;
      return `${file} ${pointer}: write a fixture by hand that has another verdict if it ${change}`;
    }),
    `${formatCount(created.length, "fixture")} added: check the descriptions`,
  ];
  return {
    text: lines.map((line) => `${escapeControls(line)}\n`).join(""),
    isWhole: stuck.length + bare.length === 0,
  };
}
