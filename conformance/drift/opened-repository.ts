import type { Artefact, Lock } from "#generated/index.js";
import type { Finding } from "../../src/findings/finding.js";
import type { Tree } from "./trees/tree.js";

/** A repository that is looked at, and what it is registered to hold. */
export interface OpenedRepository {
  /** As the registry calls it. */
  readonly name: string;
  /** As the user named where it is. */
  readonly place: string;
  readonly tree: Tree;
  /** File by file. */
  readonly artefacts: readonly Artefact[];
  /** Undefined when it has none that can be read. */
  readonly lock: Lock | undefined;
  /** What is wrong with its lock. */
  readonly lockFaults: readonly Finding[];
}
