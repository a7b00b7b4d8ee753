import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bumpFor } from "../../../conformance/versions/changes.js";
import { createFinding, type Finding } from "../../../src/findings/finding.js";
import { escapeControls, formatCount } from "../../../src/text.js";
import { createMigrationCheck, type MigratedRecord, readOldRecords } from "../migrations.js";
import { type Fulfilment, isBreaking, type Requirement, toMigrationName } from "../requirement.js";

export const migrationHolds: Requirement = {
  id: "migration-holds",
  purpose:
    "Where a breaking release brings a migrate function, it makes valid records of the golden records and valid fixtures of the version before.",
  async check(root, release) {
    const { last, present } = release.change;
    const file = `scripts/migrations/${toMigrationName(release)}.ts`;
    if (!isBreaking(release) || last === undefined || !existsSync(join(root, file))) {
      return { findings: [] };
    }
    const fail = (message: string): Fulfilment => {
      return { findings: [createFinding({ id: migrationHolds.id, file, message })] };
    };
    const loaded = await loadMigrate(join(root, file));
    if ("problem" in loaded) return fail(loaded.problem);
    const old = readOldRecords(root, present.file, last.text);
    if (old === undefined) {
      return fail(
        `cannot be tested: no commit of this clone holds ${present.file} as it is in ${last.file} (a shallow clone lacks it: git fetch --unshallow)`,
      );
    }
    const migrationCheck = createMigrationCheck(last, present);
    const checked = old.records.flatMap((record) => migrationCheck(record, loaded.migrate) ?? []);
    if (checked.length === 0) {
      return fail(`cannot be tested: none in the fixtures of ${old.commit} is of ${last.file}`);
    }
    const valid = checked.filter(({ problems }) => problems.length === 0).length;
    const count = formatCount(checked.length, "record");
    return {
      findings: checked.flatMap((each) => toFindings(each, old.commit)),
      shown: `${file}: ${count} of ${old.commit} migrated, ${valid} valid under ${release.version}`,
    };
  },
};

/** The faults of a migrated record, at its position in the commit. */
function toFindings({ record, problems }: MigratedRecord, commit: string): Finding[] {
  return problems.map(({ pointer, message }) =>
    createFinding({
      id: migrationHolds.id,
      file: `${commit}:${record.file}`,
      position: { line: record.line, column: 1 },
      pointer,
      message,
    }),
  );
}

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

export const migrationNote: Requirement = {
  id: "migration-note",
  purpose:
    "A breaking release has a page that says how records and their readers move, for every type of records that breaks.",
  async check(root, release) {
    if (!isBreaking(release)) return { findings: [] };
    const { breaks, entry } = release.change;
    const file = `docs/migrations/${toMigrationName(release)}.md`;
    const text = readPage(join(root, file));
    const broken = breaks.filter((each) => bumpFor(each) === "major");
    const types = [...new Set(broken.flatMap((each) => each.types))].filter((type) => type !== "");
    if (text === undefined) {
      const names = types.map((type) => ` \`${type}\``).join(",");
      const message = `is missing: say how records and readers of ${entry.name} move to ${release.version}, naming${names || " what breaks"}`;
      return { findings: [createFinding({ id: migrationNote.id, file, message })] };
    }
    const unnamed = types.filter((type) => !text.includes(`\`${type}\``));
    return {
      findings: unnamed.map((type) => {
        const message = `does not name \`${type}\`, whose records break: say how they move`;
        return createFinding({ id: migrationNote.id, file, message });
      }),
    };
  },
};

/** The text of a page; undefined if it is missing or empty. */
function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
