import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bumpFor } from "../../../conformance/versions/changes.js";
import { createFinding } from "../../../src/findings/finding.js";
import { isBreaking, toMigrationName } from "../migration-name.js";
import type { Requirement } from "../requirement.js";

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

/** The text of a page; undefined when there is none, or nothing on it. */
function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
