import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createFinding } from "../../../conformance/findings/create-finding.js";
import type { Finding } from "../../../conformance/findings/finding.js";
import { escapeControls } from "../../../src/records/escape-controls.js";
import { createMigrationJudge } from "../create-migration-judge.js";
import { isBreaking, toMigrationName } from "../migration-name.js";
import { readOldRecords } from "../read-old-records.js";
import type { Requirement } from "../requirement.js";

export const migrationHolds: Requirement = {
  id: "migration-holds",
  purpose:
    "Where a breaking release brings a migrate function, it makes valid records of the golden records and valid fixtures of the version before.",
  async find(root, release) {
    const { last, present } = release.change;
    const file = `scripts/migrations/${toMigrationName(release)}.ts`;
    if (!isBreaking(release) || last === undefined || !existsSync(join(root, file))) return [];
    const at = (message: string): Finding[] => [
      createFinding({ id: migrationHolds.id, file, message }),
    ];
    const loaded = await loadMigrate(join(root, file));
    if ("problem" in loaded) return at(loaded.problem);
    const old = readOldRecords(root, present.file, last.text);
    if (old === undefined) {
      return at(
        `has no records to be tried on: no commit of this clone holds ${present.file} as it is in ${last.file} (a shallow clone lacks it: git fetch --unshallow)`,
      );
    }
    const judge = createMigrationJudge(last, present);
    const judged = old.records.flatMap((record) => judge(record, loaded.migrate) ?? []);
    if (judged.length === 0) {
      return at(
        `has nothing to migrate: no fixture or golden record of ${old.commit} is of ${last.file}`,
      );
    }
    return judged.flatMap(({ record, problems }) =>
      problems.map(({ pointer, message }) =>
        createFinding({
          id: migrationHolds.id,
          file: `${old.commit}:${record.file}`,
          position: { line: record.line, column: 1 },
          pointer,
          message,
        }),
      ),
    );
  },
};

type Migrate = (record: unknown) => unknown;

async function loadMigrate(
  path: string,
): Promise<{ readonly migrate: Migrate } | { readonly problem: string }> {
  try {
    const { migrate } = await import(pathToFileURL(path).href);
    return typeof migrate === "function"
      ? { migrate }
      : { problem: "exports no function migrate(record)" };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `cannot be loaded: ${escapeControls(reason)}` };
  }
}
