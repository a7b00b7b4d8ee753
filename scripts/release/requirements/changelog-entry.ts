import { createFinding, type Finding } from "../../../src/base/findings/finding.js";
import { toCode } from "../../../src/base/reporters/markdown.js";
import {
  CHANGELOG,
  findEntry,
  findUnreleased,
  listNames,
  printEntry,
  readChangelog,
} from "../changelog.js";
import type { Requirement } from "../requirement.js";

export const changelogEntry: Requirement = {
  id: "changelog-entry",
  purpose:
    "CHANGELOG.md has an entry for the version that names every definition and property that changed. The release writes it unless it is there.",
  async check(root, release) {
    const changelog = readChangelog(root);
    const entry = findEntry(changelog, release);
    if (entry !== undefined) {
      const unnamed = listNames(release).filter((name) => !entry.text.includes(toCode(name)));
      return { findings: unnamed.map((name) => toFinding(entry.line, lacks(name))) };
    }
    const written = printEntry(release);
    if (findUnreleased(changelog) < 0) return { findings: [toFinding(1, NO_SECTION)] };
    return { findings: [], shown: `${CHANGELOG} gets\n${written.replace(/^/gm, "  ").trimEnd()}` };
  },
};

const NO_SECTION =
  'has no section for the entry: open one, such as "## 0.2.0 (unreleased)", above the newest release';

function lacks(name: string): string {
  return `does not name ${toCode(name)}, which has changed: add it, or delete the entry, and it is written anew`;
}

function toFinding(line: number, message: string): Finding {
  return createFinding({
    id: changelogEntry.id,
    file: CHANGELOG,
    position: { line, column: 1 },
    message,
  });
}
