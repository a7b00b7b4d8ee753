import type { OwnFixture } from "#generated/index.js";
import type { InputSource } from "../../base/files/source.js";
import type { Finding, Severity } from "../../base/findings/finding.js";
import type { RecordValidator } from "../../base/json/schema-error.js";
import type { LinesOutcome } from "../../base/run/run-lines.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import { RecordTypes } from "../../contract/drift/records/record-types.js";
import { createPinnedValidator } from "../../contract/drift/records/replay.js";
import { checkRecords } from "../../rollouts/pipeline/check-records.js";
import { type CheckFilesRequest, checkFiles } from "../../rollouts/pipeline/validate.js";
import { profiles, type RuleSeverities } from "../../rollouts/wire/validation/profiles.js";
import { isRuleId, ruleIds } from "../../rollouts/wire/validation/rules/index.js";

interface FixturesRequest extends CheckFilesRequest {
  readonly fixtures: readonly OwnFixture[];
  readonly canonical: Canonical;
}

/**
 * Checks the fixtures of a configuration as `drift` does: their structure by the pinned version of their schema, and by the
 * semantic rules if this package knows it. Throws UserError (exit 3) if a file cannot be read.
 */
export async function checkFixtures(
  { fixtures, canonical, ...request }: FixturesRequest,
  source: InputSource,
): Promise<LinesOutcome & { readonly skippedRollouts: number }> {
  const types = new RecordTypes(canonical);
  const validators = new Map(
    fixtures.map((fixture) => [fixture.path, createPinnedValidator(fixture, { canonical, types })]),
  );
  const validatorOf = (file: string): RecordValidator => {
    const validator = validators.get(file);
    if (validator === undefined) throw new Error(`${file} is no fixture`);
    return validator;
  };
  const severities = canonical.isOwn ? NO_RULES : request.severities;
  const checked = await checkRecords({ ...request, severities, validatorOf }, source);
  if (!canonical.isOwn) return { ...checked, skippedRollouts: 0 };
  const { findings } = checked;
  // What the baseline accepts of the structure was counted.
  const accepted = request.limits.accepted?.filter(({ id }) => id !== undefined);
  const ruled = await checkFiles({ ...request, limits: { ...ALL, accepted } }, source);
  const tally = ruled.findings.toTally();
  const known = new Set(findings.toReport("validate").findings.map(toPlace));
  const added = ruled.findings
    .toReport("validate")
    .findings.filter((finding) => isRuleId(finding.id) && !known.has(toPlace(finding)));
  findings.addTally({ ...tally, ...NOTHING, findings: added, found: countSeverities(added) });
  return { ...checked, written: findings.errors === 0, skippedRollouts: ruled.skippedRollouts };
}

const ALL = { maxErrors: Number.POSITIVE_INFINITY };

const NO_RULES: RuleSeverities = {
  ...profiles.lenient,
  ...Object.fromEntries(ruleIds.map((id) => [id, "off"])),
};

/** What was counted once. */
const NOTHING = { records: 0, bytes: 0, unlistedCauses: new Map<never, never>() };

function toPlace({ file, line, pointer }: Finding): string {
  return JSON.stringify([file, line, pointer]);
}

function countSeverities(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const error = findings.filter(({ severity }) => severity === "error").length;
  return { error, warning: findings.length - error };
}
