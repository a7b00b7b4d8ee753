import type { OwnFixture } from "#generated/index.js";
import type { Finding } from "../../base/findings/finding.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import type { Holder } from "../../contract/drift/holder.js";
import { checkText } from "../../rollouts/pipeline/check-text.js";
import { profiles, type RuleSeverities } from "../../rollouts/wire/validation/profiles.js";
import { isRuleId } from "../../rollouts/wire/validation/rules/index.js";

/** What `validate` finds in a file of records. */
export type RecordCheck = (file: string, bytes: Buffer) => readonly Finding[];

/** Undefined for the schemas of another owner, whose records only their schema knows. */
export function createRecordCheck(canonical: Canonical): RecordCheck | undefined {
  if (!canonical.isOwn) return undefined;
  return (file, bytes) => checkText(file, bytes, profiles.strict);
}

/** What `validate` finds in a fixture beyond its structure, with the severities of its repository. */
export function createRuleCheck(
  canonical: Canonical,
): (fixture: OwnFixture, holder: Holder) => readonly Finding[] {
  return ({ path }, { tree, config }) => {
    const bytes = canonical.isOwn ? tree.read(path) : undefined;
    if (bytes === undefined) return [];
    const findings = checkText(tree.nameOf(path), bytes, readSeverities(config?.severity));
    return findings.filter(({ id }) => isRuleId(id));
  };
}

function readSeverities(configured: Readonly<Record<string, string>> = {}): RuleSeverities {
  const set = Object.entries(configured).filter(([id]) => isRuleId(id));
  return { ...profiles.strict, ...Object.fromEntries(set) };
}
