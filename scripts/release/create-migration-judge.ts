import type { SchemaVersion } from "../../conformance/versions/changes.js";
import type { Judge } from "../../src/compat/ajv.js";
import { pairEntryPoints } from "../../src/compat/entry-points.js";
import { requireJudge } from "../../src/compat/validators.js";
import { describeError } from "../../src/json/schema-error.js";
import type { OldRecord } from "./read-old-records.js";

/** What became of a record. */
export interface MigratedRecord {
  readonly record: OldRecord;
  /** Nothing when the result is valid as all that the record was. */
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/** Undefined for what is no record of the old version. */
export type MigrationJudge = (
  record: OldRecord,
  migrate: (record: unknown) => unknown,
) => MigratedRecord | undefined;

/**
 * Judges records that are migrated from one version to another: valid as every type as which the record was
 * valid, or, where that type is gone, as any.
 */
export function createMigrationJudge(before: SchemaVersion, after: SchemaVersion): MigrationJudge {
  const pairs = pairEntryPoints(before.root, after.root).flatMap(
    ({ name, oldName, old, new: now }) =>
      old === undefined
        ? []
        : [{ name, oldName, old: requireJudge(old), now: requireJudge(now ?? after.root) }],
  );
  return (record, migrate) => {
    const types = pairs.filter(
      ({ oldName, old }) =>
        (record.type ?? oldName) === oldName && old.isValid(record.value) === true,
    );
    if (types.length === 0) return undefined;
    try {
      const migrated = migrate(structuredClone(record.value));
      const all = types.map(({ name, now }) => findProblems(migrated, name, now));
      // One type is enough to say so: types that build on each other say the same.
      return { record, problems: all.find((problems) => problems.length > 0) ?? [] };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { record, problems: [{ pointer: "", message: `migrate throws: ${reason}` }] };
    }
  };
}

function findProblems(migrated: unknown, type: string, judge: Judge): MigratedRecord["problems"] {
  if (judge.isValid(migrated) === true) return [];
  const place = type === "" ? "" : ` as ${type}`;
  return judge.errorsOf(migrated).map((error) => ({
    pointer: error.pointer,
    message: `migrated, it is not valid${place}: ${describeError(error, migrated)}`,
  }));
}
