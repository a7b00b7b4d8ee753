import type { SourceSchema } from "./load-schemas.js";
import type { ResolveRef } from "./resolve-ref.js";

/** What every target works from. */
export interface CodegenInput {
  /** The repository's root. */
  readonly root: string;
  readonly schemas: readonly SourceSchema[];
  readonly resolveRef: ResolveRef;
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
