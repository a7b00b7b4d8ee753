import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../../src/files/source.js";
import type { Finding } from "../../../src/findings/finding.js";
import { createFinding } from "../../../src/findings/finding.js";
import type { PlannedRelease, Requirement } from "../requirement.js";
import { listEntryTypes } from "../requirement.js";

const CHANGELOG = "CHANGELOG.md";

export const changelogEntry: Requirement = {
  id: "changelog-entry",
  purpose:
    "CHANGELOG.md has an entry for the version that names every definition and property that changed.",
  async check(root, release) {
    const { change, version } = release;
    const start = `- \`${change.entry.name}\` ${version}:`;
    const wanted = listNames(release);
    const entry = findEntry(readChangelog(root), start);
    const at = (line: number, message: string): Finding =>
      createFinding({
        id: changelogEntry.id,
        file: CHANGELOG,
        position: { line, column: 1 },
        message,
      });
    if (entry === undefined) {
      const names = wanted.map((part) => ` \`${part}\``).join(",");
      return { findings: [at(1, `has no entry that begins with "${start}${names}"`)] };
    }
    const named = new Set([...entry.text.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
    const unnamed = wanted.filter((part) => !named.has(part));
    return {
      findings: unnamed.map((part) =>
        at(entry.line, `does not name \`${part}\`, which has changed`),
      ),
    };
  },
};

/** The names that the entry must contain, as code: all changes, or the record types of a new schema. */
function listNames({ bump, change, definitions }: PlannedRelease): readonly string[] {
  if (bump === "first") return listEntryTypes(change.present);
  return definitions.flatMap(({ parts }) => parts);
}

/** The list item with this start, including its further lines. */
function findEntry(
  changelog: string,
  start: string,
): { readonly line: number; readonly text: string } | undefined {
  const lines = changelog.split("\n");
  const first = lines.findIndex((line) => line.startsWith(start));
  if (first < 0) return undefined;
  const after = lines.slice(first + 1);
  const length = after.findIndex((line) => !line.startsWith("  "));
  const rest = length < 0 ? after : after.slice(0, length);
  return { line: first + 1, text: [lines[first], ...rest].join("\n") };
}

function readChangelog(root: string): string {
  try {
    return readFileSync(join(root, CHANGELOG), "utf8");
  } catch (cause) {
    throw toReadError(CHANGELOG, cause);
  }
}
