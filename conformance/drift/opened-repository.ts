import type { Artefact, Lock } from "#generated/index.js";
import type { Tree } from "./trees/tree.js";

/** A repository that is looked at, and what it is registered to hold. */
export interface OpenedRepository {
  /** As the registry calls it. */
  readonly name: string;
  readonly tree: Tree;
  /** File by file. */
  readonly artefacts: readonly Artefact[];
  /** Undefined when it has none. */
  readonly lock: Lock | undefined;
}
