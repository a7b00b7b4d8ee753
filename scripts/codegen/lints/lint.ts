import type { Definitions } from "../../../conformance/schemas/definitions.js";
import type { SourceSchema } from "../../../conformance/schemas/load.js";
import type { FaultPlace } from "../../../src/findings/finding.js";

/** Schemas that can be read, and whose references lead somewhere. */
export interface LintInput {
  readonly schemas: readonly SourceSchema[];
  readonly definitions: Definitions;
}

/** Something that a schema must be beyond what it takes to generate code from it. */
export interface Lint {
  /** Also the name of its file, and the id of its findings. */
  readonly id: string;
  readonly purpose: string;
  find(input: LintInput): Iterable<Omit<FaultPlace, "id">>;
}
