import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bumpFor } from "../../../conformance/versions/changes.js";
import { createFinding } from "../../../src/base/findings/finding.js";
import { parseVersion } from "../../../src/contract/schemas/version.js";
import { isBreaking, type PlannedRelease, type Requirement } from "../requirement.js";

export const migrationNote: Requirement = {
  id: "migration-note",
  purpose:
    "A breaking release has a page that says how records and their readers move, for every type of records that breaks.",
  async check(root, release) {
    if (!isBreaking(release)) return { findings: [] };
    const { breaks, entry } = release.change;
    const file = toNote(release);
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

/** The page of a major version: `docs/migrations/rollout-wire-v2.md`. */
function toNote({ change, version }: PlannedRelease): string {
  return `docs/migrations/${change.entry.name}-v${parseVersion(version).major}.md`;
}

/** The text of a page; undefined if it is missing or empty. */
function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
