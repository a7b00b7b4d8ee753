import { type FaultPlace, type Finding, toFindings } from "../../src/base/findings/finding.js";
import { type Schema, subschemas } from "../../src/contract/compat/schema/subschemas.js";
import type { Registry } from "../../src/contract/schemas/registry.js";
import { atEntry } from "../../src/contract/schemas/registry-file.js";
import { parseSchemaId } from "../../src/contract/schemas/schema-id.js";
import {
  BUMPS,
  bumpBetween,
  covers,
  parseVersion,
  printVersion,
  raiseVersion,
} from "../../src/contract/schemas/version.js";
import {
  APPROVALS_FILE,
  describeBreak,
  findApprovalFaults,
  isInForce,
  readApprovals,
} from "./approvals.js";
import {
  bumpFor,
  isCovered,
  type ReleasedVersion,
  readChanges,
  requiredBump,
  type SchemaChange,
} from "./changes.js";

/**
 * Faults in the version of a schema: its number in the registry, or else the ids that contain it. Breaks with
 * the `approved` fingerprints do not count.
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
  return { message: "no version was published before it: use 1.0.0" };
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
    return { message: `nothing has changed since ${last.file}: restore ${number}` };
  }
  if (actual !== undefined && covers(actual, required)) return undefined;
  const fitting = BUMPS.filter((bump) => covers(bump, required)).map((bump) =>
    printVersion(raiseVersion(last.version, bump)),
  );
  const wanted = `the change since ${last.file} is ${required}: use ${listOf(fitting)}`;
  // The changes that require the largest bump come first.
  const causes = change.breaks
    .filter((each) => !approved.has(each.fingerprint) && !isCovered(change, each))
    .sort((one, other) => BUMPS.indexOf(bumpFor(other)) - BUMPS.indexOf(bumpFor(one)));
  if (causes.length === 0) return { message: `${wanted}, or undo the change` };
  return {
    message: `${wanted}, undo the change, or approve what it breaks in ${APPROVALS_FILE}`,
    detail: causes.map(describeBreak).join("\n"),
  };
}

/** `a`, `a or b`, `a, b or c`. */
function listOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} or ${last}`;
}

/**
 * Places where a schema names a different major version than the registry: its `$id`, or a constant such as
 * `schema_version`. Readers use these to distinguish incompatible versions.
 */
export function findIdFaults({ entry, index, present }: SchemaChange): FaultPlace[] {
  const { id, name, version } = entry;
  const { major } = parseVersion(version);
  const own = `${name}/v${major}`;
  const constants = [...findConstants(present.value, name, own)].map((pointer) => {
    const message = `must be "${own}", because the registry has version ${version}`;
    return { id: "version-id", file: present.file, pointer, message };
  });
  const named = parseSchemaId(id);
  if (named?.name === name && named.major === major) return constants;
  const message = `must end with :${name}:v${major} or /${own}, here and as "$id" of ${entry.file}, because the version is ${version}`;
  return [atEntry(index, "id", "version-id", message), ...constants];
}

/** Pointers of the constants that name a version of the schema other than its own. */
function* findConstants(schema: Schema, name: string, own: string, at = ""): Generator<string> {
  if (typeof schema === "boolean") return;
  const { const: text } = schema;
  if (typeof text === "string" && text !== own && text.startsWith(`${name}/v`)) yield `${at}/const`;
  for (const [pointer, child] of subschemas(schema)) {
    yield* findConstants(child, name, own, at + pointer);
  }
}

/** The result of checking the versions in the registry. */
export interface VersionVerdict {
  /** Number of schemas. */
  readonly changes: readonly SchemaChange[];
  /** Fingerprints of the approved breaks, all of them needed. */
  readonly approved: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * Checks the versions of all schemas below `root`, and the approvals, on the date `today` (YYYY-MM-DD).
 * Throws as `readChanges` does.
 */
export function checkVersions(root: string, registry: Registry, today: string): VersionVerdict {
  const changes = readChanges(root, registry);
  const needed = new Set(changes.flatMap(listUncovered));
  const book = readApprovals(root);
  const approvals = "findings" in book ? [] : book.value.approvals;
  const inForce = approvals.filter((approval) => isInForce(approval, today));
  const approved = new Set(
    inForce.map(({ fingerprint }) => fingerprint).filter((fingerprint) => needed.has(fingerprint)),
  );
  const faults = [
    ...changes.flatMap((change) => findVersionFaults(change, approved)),
    ...findApprovalFaults(approvals, needed, today),
  ];
  const unreadable = "findings" in book ? book.findings : [];
  return { changes, approved, findings: [...toFindings(root, faults), ...unreadable] };
}

/** Fingerprints of the breaks that require a larger bump. */
function listUncovered(change: SchemaChange): string[] {
  return change.breaks
    .filter((each) => !isCovered(change, each))
    .map(({ fingerprint }) => fingerprint);
}
