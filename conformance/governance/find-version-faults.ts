import type { FaultPlace } from "../../src/findings/finding.js";
import { atEntry } from "../../src/schemas/registry.js";
import {
  BUMPS,
  bumpBetween,
  covers,
  parseVersion,
  printVersion,
  raiseVersion,
} from "../../src/schemas/version.js";
import { describeBreak } from "./describe-break.js";
import { findIdFaults } from "./find-id-faults.js";
import { APPROVALS_FILE } from "./read-approvals.js";
import {
  bumpFor,
  isCovered,
  type ReleasedVersion,
  requiredBump,
  type SchemaChange,
} from "./schema-change.js";

/**
 * What is wrong with the version that the registry gives a schema: its number, or else the ids that go with it.
 * Breaks with the `approved` fingerprints call for nothing.
 */
export function findVersionFaults(
  change: SchemaChange,
  approved: ReadonlySet<string>,
): FaultPlace[] {
  const { last } = change;
  const problem =
    last === undefined ? findFirstProblem(change) : findProblem(change, last, approved);
  if (problem === undefined) return findIdFaults(change);
  const { entry, index } = change;
  const { message, detail } = problem;
  const place = atEntry(index, "version", "version", `is ${entry.version}, but ${message}`);
  return [{ ...place, ...(detail !== undefined && { detail }) }];
}

interface Problem {
  readonly message: string;
  readonly detail?: string;
}

function findFirstProblem({ entry }: SchemaChange): Problem | undefined {
  if (entry.version === "1.0.0") return undefined;
  return { message: "no version was published before it: put 1.0.0" };
}

function findProblem(
  change: SchemaChange,
  last: ReleasedVersion,
  approved: ReadonlySet<string>,
): Problem | undefined {
  const required = requiredBump(change, approved);
  const actual = bumpBetween(last.version, parseVersion(change.entry.version));
  if (required === "none") {
    if (actual === "none") return undefined;
    const number = printVersion(last.version);
    return { message: `nothing has changed since ${last.file}: put ${number} back` };
  }
  if (actual !== undefined && covers(actual, required)) return undefined;
  const fitting = BUMPS.filter((bump) => covers(bump, required)).map((bump) =>
    printVersion(raiseVersion(last.version, bump)),
  );
  const wanted = `the change since ${last.file} is ${required} at least: ${listOf(fitting)}`;
  // What calls for the most comes first.
  const causes = change.breaks
    .filter((each) => !approved.has(each.fingerprint) && !isCovered(change, each))
    .sort((one, other) => BUMPS.indexOf(bumpFor(other)) - BUMPS.indexOf(bumpFor(one)));
  if (causes.length === 0) return { message: `${wanted}; else undo the change` };
  return {
    message: `${wanted}; else undo the change, or approve what it breaks in ${APPROVALS_FILE}`,
    detail: causes.map(describeBreak).join("\n"),
  };
}

/** `a`, `a or b`, `a, b or c`. */
function listOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} or ${last}`;
}
