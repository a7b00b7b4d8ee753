import { type Fixture, suiteFileOf, toValue } from "../../../conformance/fixtures/fixture.js";
import { bothKinds } from "../../../conformance/fixtures/lints.js";
import { loadFixtures } from "../../../conformance/fixtures/load.js";
import type { SchemaVersion } from "../../../conformance/versions/changes.js";
import { createFinding } from "../../../src/base/findings/finding.js";
import { pointerTokens, resolvePointer, toPointerToken } from "../../../src/base/json/pointer.js";
import { escapeControls } from "../../../src/base/text.js";
import type { AjvValidator } from "../../../src/contract/compat/ajv/ajv.js";
import { requireValidator } from "../../../src/contract/compat/ajv/ajv.js";
import { checkContainment } from "../../../src/contract/compat/containment.js";
import { pairEntryPoints } from "../../../src/contract/compat/entry-points.js";
import { childOf } from "../../../src/contract/compat/schema/schema-set.js";
import type { Requirement } from "../requirement.js";
import { listEntryTypes } from "../requirement.js";

export const fixturesShowChange: Requirement = {
  id: "fixtures-show-change",
  purpose:
    "Every definition with a changed meaning has a fixture that only one of the two versions accepts.",
  async check(root, { change, definitions }) {
    const { last, present } = change;
    // The check `fixtures` ensures that a new schema has fixtures.
    if (last === undefined) return { findings: [] };
    const changed = definitions.flatMap(({ kind, name }) => {
      const difference = kind === "changed" ? findDifference(name, last, present) : undefined;
      return difference === undefined ? [] : [{ name, difference }];
    });
    if (changed.length === 0) return { findings: [] };
    const loaded = loadFixtures(root);
    const shown = listShown(last, present, loaded.fixtures);
    const unshown = changed.filter(({ name }) => !shown.has(name));
    const missing = unshown.map(({ name, difference }) =>
      createFinding({
        id: fixturesShowChange.id,
        file: present.file,
        source: present.text,
        pointer: `/$defs/${toPointerToken(name)}`,
        message: `has changed since ${last.file}, and no fixture shows it: add one with ${name} to a suite of fixtures/suites that only one of the two versions accepts`,
        ...(difference !== "" && { detail: difference }),
      }),
    );
    if (missing.length === 0) return { findings: [] };
    // The fixture may exist, but be invalid.
    const suites = listEntryTypes(present).map((type) => suiteFileOf(type));
    const faulty = loaded.findings.filter(
      ({ id, file }) => suites.includes(file) && id !== bothKinds.id,
    );
    return { findings: [...missing, ...faulty] };
  },
};

/** The difference between two versions of a definition: "" if undecided, undefined if there is none. */
function findDifference(
  name: string,
  last: SchemaVersion,
  present: SchemaVersion,
): string | undefined {
  const pointer = `/$defs/${toPointerToken(name)}`;
  const [old, now] = [childOf(last.root, pointer), childOf(present.root, pointer)];
  const [backward, forward] = [checkContainment(old, now), checkContainment(now, old)];
  if (forward.verdict === "breaking") return describe(name, "before", forward.witness);
  if (backward.verdict === "breaking") return describe(name, "now", backward.witness);
  const isSame = backward.verdict === "compatible" && forward.verdict === "compatible";
  return isSame ? undefined : "";
}

function describe(name: string, when: string, witness: unknown): string {
  return escapeControls(
    `such as this ${name}, which is not valid ${when}: ${JSON.stringify(witness)}`,
  );
}

/**
 * The definitions with a fault in fixtures that only one version accepts. If only one version has such a
 * definition, the fixture counts for all changed definitions that refer to it.
 */
function listShown(
  last: SchemaVersion,
  present: SchemaVersion,
  fixtures: readonly Fixture[],
): { has(name: string): boolean } {
  const shown = new Set<string>();
  let isNewShown = false;
  for (const pair of pairEntryPoints(last.root, present.root)) {
    if (pair.old === undefined || pair.new === undefined) continue;
    const old = { version: last, migrationCheck: requireValidator(pair.old) };
    const now = { version: present, migrationCheck: requireValidator(pair.new) };
    const values = fixtures.filter(({ type }) => type === pair.name).flatMap(listValues);
    for (const value of values) {
      const [before, after] = [
        old.migrationCheck.isValid(value),
        now.migrationCheck.isValid(value),
      ];
      if (before === after || before === undefined || after === undefined) continue;
      for (const name of listFaulty(value, before ? now : old)) {
        if (isDefined(last, name) && isDefined(present, name)) shown.add(name);
        else isNewShown = true;
      }
    }
  }
  return { has: (name) => isNewShown || shown.has(name) };
}

/** The records of a fixture. */
function listValues({ content }: Fixture): readonly unknown[] {
  return "rollout" in content ? content.rollout : [toValue(content)];
}

interface CheckedVersion {
  readonly version: SchemaVersion;
  readonly migrationCheck: AjvValidator;
}

/** The definitions of a version that a value violates. */
function listFaulty(value: unknown, { version, migrationCheck }: CheckedVersion): string[] {
  return migrationCheck.errorsOf(value).flatMap(({ location }) => {
    if (location?.uri !== version.root.uri) return [];
    const [keyword, name] = pointerTokens(location.pointer);
    return keyword === "$defs" && name !== undefined ? [name] : [];
  });
}

function isDefined({ value }: SchemaVersion, name: string): boolean {
  return resolvePointer(value, `/$defs/${toPointerToken(name)}`) !== undefined;
}
