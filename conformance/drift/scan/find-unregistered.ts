import { isJsonObject } from "../../../src/records/json-object.js";
import { createFinding } from "../../findings/create-finding.js";
import type { Finding } from "../../findings/finding.js";
import type { Canonical } from "../canonical.js";
import { describeGrade } from "../describe-grade.js";
import { gradeCopy } from "../grade-copy.js";
import type { Tree } from "../trees/tree.js";
import { type Fork, findForks, type ScannedSchema } from "./find-forks.js";
import { structureOf } from "./structure.js";

export interface ScannedTree {
  /** How many files were looked at. */
  readonly files: number;
  readonly findings: readonly Finding[];
}

/** Copies and forks of the format's schemas in a tree that nobody registered; `known` are paths of those that are. */
export function findUnregistered(
  tree: Tree,
  canonical: Canonical,
  known: ReadonlySet<string>,
): ScannedTree {
  const { files, forks, tooLarge } = findForks(tree, toScanned(canonical));
  const unread = tooLarge.map((path) => {
    const message = "is too large to be a schema, and was not read";
    return {
      ...createFinding({ id: "not-read", file: tree.nameOf(path), message }),
      severity: "warning" as const,
    };
  });
  const found = forks
    .filter(({ path }) => !known.has(path))
    .map((fork) => toFinding(fork, tree, canonical));
  return { files, findings: [...found, ...unread] };
}

/** The schemas of the format: those of the tool's own files are nobody's to copy. */
function toScanned(canonical: Canonical): ScannedSchema[] {
  return canonical.registry.schemas
    .filter(({ inferred }) => inferred !== false)
    .flatMap(({ id, name }) => {
      const [newest] = canonical.versionsOf(name);
      const structure = structureOf(newest && JSON.parse(newest.text));
      return [{ id, name, structure }];
    });
}

const REASONS: Readonly<Record<Fork["by"], string>> = {
  $id: "by its $id",
  name: "by its name",
  structure: "by its properties",
};

function toFinding(fork: Fork, tree: Tree, canonical: Canonical): Finding {
  const { path, schema, by, similarity, text } = fork;
  const likeness = similarity > 0 ? `, similarity ${similarity.toFixed(2)}` : "";
  const message = `looks like a copy of ${schema} that nobody registered (${REASONS[by]}${likeness})`;
  const file = tree.nameOf(path);
  return createFinding({ id: "unregistered", file, message, ...describe(text, schema, canonical) });
}

/** What it is to the newest version, where it is a schema itself and not a file that holds one. */
function describe(
  text: string,
  schema: string,
  canonical: Canonical,
): { readonly detail?: string } {
  const [newest] = canonical.versionsOf(schema);
  if (newest === undefined || !isSchemaFile(text)) return {};
  const graded = gradeCopy({ canonical: newest.text, copy: text, others: canonical.schemaTexts() });
  if (graded.grade === "unreadable") {
    return { detail: `cannot be compared with ${schema} ${newest.version}: ${graded.because}` };
  }
  return { detail: `to ${schema} ${newest.version} it ${describeGrade(graded)}` };
}

function isSchemaFile(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && ["$defs", "properties"].some((key) => Object.hasOwn(value, key));
  } catch {
    return false;
  }
}
