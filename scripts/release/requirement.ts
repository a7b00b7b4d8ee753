import type { SchemaChange, SchemaVersion } from "../../conformance/versions/changes.js";
import type { Finding } from "../../src/base/findings/finding.js";
import type { ChangedDefinition } from "../../src/contract/compat/changed-definitions.js";
import { pairEntryPoints } from "../../src/contract/compat/entry-points.js";
import type { UpcasterStep } from "../../src/contract/migrate/step.js";
import type { Bump } from "../../src/contract/schemas/version.js";

/** A schema that is about to be published. */
export interface PlannedRelease {
  readonly change: SchemaChange;
  /** Its effect on users of the schema; `first` if there was no version before. */
  readonly bump: Bump | "first";
  readonly version: string;
  /** The path where it will be published, from the repository's root. */
  readonly file: string;
  readonly definitions: readonly ChangedDefinition[];
}

/** The result of a requirement. */
export interface Fulfilment {
  /** Everything that is missing, each with a fix. */
  readonly findings: readonly Finding[];
  /** What was verified, or will be written, for people; without a line break at the end. */
  readonly shown?: string;
}

/**
 * A precondition for publishing a schema. To add one, create a file in `requirements/` and register it in its
 * index.
 */
export interface Requirement {
  /** Also the id of its findings. */
  readonly id: string;
  /** The precondition, in one sentence. */
  readonly purpose: string;
  /** Examines the repository at `root`. Throws UserError for an unreadable file. */
  check(root: string, release: PlannedRelease): Promise<Fulfilment>;
}

/** Names of the record types of a version. */
export function listEntryTypes({ root }: SchemaVersion): readonly string[] {
  return pairEntryPoints(root, root).map(({ name }) => name);
}

/** Whether the release breaks old data, so that it has a new major version. */
export function isBreaking({ bump }: PlannedRelease): boolean {
  return bump === "major";
}

/** The step of a breaking release; undefined for any other release. */
export function toStep({ bump, change }: PlannedRelease): UpcasterStep | undefined {
  const { entry, last } = change;
  if (bump !== "major" || last === undefined) return undefined;
  return { schema: entry.name, from: last.version.major };
}
