import type { SchemaChange } from "../../conformance/versions/changes.js";
import type { Finding } from "../../src/findings/finding.js";
import type { Bump } from "../../src/schemas/version.js";
import type { ChangedDefinition } from "./list-changed-definitions.js";

/** A schema that is going to be published. */
export interface PlannedRelease {
  readonly change: SchemaChange;
  /** What it asks of those who use the schema; `first` when there was no version before. */
  readonly bump: Bump | "first";
  readonly version: string;
  /** Where it is going to be published, from the repository's root. */
  readonly file: string;
  readonly definitions: readonly ChangedDefinition[];
}

/** What a requirement found. */
export interface Fulfilment {
  /** What is missing, each with what to do. */
  readonly findings: readonly Finding[];
  /** What was tried, in one line, where there is anything to tell. */
  readonly shown?: string;
}

/** What a schema that is published must come with. A new one is a file in `requirements/` and a line in its index. */
export interface Requirement {
  /** Also the id of its findings. */
  readonly id: string;
  /** What must be there, in one sentence. */
  readonly purpose: string;
  /** Looks at the repository at `root`. Throws UserError for a file that cannot be read. */
  check(root: string, release: PlannedRelease): Promise<Fulfilment>;
}
