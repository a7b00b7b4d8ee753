import type { Definitions } from "../../conformance/schemas/definitions.js";
import type { SourceSchema } from "../../conformance/schemas/load.js";

/** What every target works from. */
export interface CodegenInput {
  /** The repository's root. */
  readonly root: string;
  readonly schemas: readonly SourceSchema[];
  /** The definitions of all schemas; see schema-profile.ts for what they can say. */
  readonly definitions: Definitions;
}

export interface GeneratedFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One kind of generated code. A new kind is a file in `targets/` and a line in its index. */
export interface Target {
  readonly id: string;
  readonly purpose: string;
  /** Prints all files of this kind. The same input gives the same bytes, on every machine. */
  generate(input: CodegenInput): Promise<GeneratedFile[]>;
}
