import type { Finding } from "../../../src/findings/finding.js";
import { createFinding } from "../../../src/findings/finding.js";
import { isJsonObject, type JsonObject } from "../../../src/json/value.js";
import type { Canonical } from "../canonical.js";
import { describeGrade } from "../describe-grade.js";
import { gradeCopy } from "../grade-copy.js";
import type { Tree } from "../trees/tree.js";
import { type Fork, findForks, type ScanResult } from "./find-forks.js";
import type { Clue, ScannedSchema } from "./find-likeness.js";
import type { Likeness } from "./likeness.js";
import { structureOf } from "./structure.js";
import { namesOf } from "./written-names.js";

export interface ScannedTree extends Pick<ScanResult, "files" | "candidates" | "binary"> {
  readonly findings: readonly Finding[];
}

/** Copies and forks of the format's schemas in a tree that nobody registered; `known` are paths of those that are. */
export function findUnregistered(
  tree: Tree,
  canonical: Canonical,
  known: ReadonlySet<string>,
): ScannedTree {
  const { forks, unread, ...counts } = findForks(tree, toScanned(canonical));
  const warnings = unread.map(({ path, because }) => {
    const message = `${because}, and was not looked into`;
    return {
      ...createFinding({ id: "not-read", file: tree.nameOf(path), message }),
      severity: "warning" as const,
    };
  });
  const found = forks
    .filter(({ path }) => !known.has(path))
    .map((fork) => toFinding(fork, tree, canonical));
  return { ...counts, findings: [...found, ...warnings] };
}

/** The schemas of the format: those of the tool's own files are nobody's to copy. */
function toScanned(canonical: Canonical): ScannedSchema[] {
  return canonical.registry.schemas
    .filter(({ inferred }) => inferred !== false)
    .flatMap(({ id, name }) => {
      const newest = canonical.newest(name);
      const document: unknown = newest && JSON.parse(newest.text);
      return [{ id, name, structure: structureOf(document), names: namesOf(document) }];
    });
}

const REASONS: Readonly<Record<Clue, string>> = {
  $id: "by its $id",
  name: "by its name",
  structure: "by its properties",
  names: "by the names in it",
};

function toFinding(fork: Fork, tree: Tree, canonical: Canonical): Finding {
  const { path, schema, by, likeness } = fork;
  const reason = [REASONS[by], ...describeLikeness(likeness)].join(", ");
  const message = `looks like a copy of ${schema} that nobody registered (${reason})`;
  const file = tree.nameOf(path);
  return createFinding({ id: "unregistered", file, message, ...describe(fork, canonical) });
}

/** The part only where more is like it than the whole is. */
function describeLikeness({ whole, part }: Likeness): string[] {
  const ofWhole = whole.toFixed(2);
  if (part === undefined || part.similarity <= whole) {
    return whole > 0 ? [`similarity ${ofWhole}`] : [];
  }
  return [`like ${part.name}, similarity ${part.similarity.toFixed(2)}`, `as a whole ${ofWhole}`];
}

/** What it is to the newest version, where it is a schema itself and not a file that holds one. */
function describe(fork: Fork, canonical: Canonical): { readonly detail?: string } {
  const { schema, text } = fork;
  const newest = canonical.newest(schema);
  const document = parseSchema(text);
  if (newest === undefined || document === undefined) return {};
  const definition = toDefinition(fork, document, JSON.parse(newest.text));
  const pair = definition ?? { name: schema, canonical: newest.text, copy: text };
  const graded = gradeCopy({ ...pair, others: canonical.schemaTexts() });
  if (graded.grade === "unreadable") {
    return { detail: `cannot be compared with ${pair.name} ${newest.version}: ${graded.because}` };
  }
  return { detail: `to ${pair.name} ${newest.version} it ${describeGrade(graded)}` };
}

/** A copy of one definition alone, with what else the schema defines, to which it may refer; and the original so. */
function toDefinition({ schema, likeness }: Fork, copy: JsonObject, canonical: JsonObject) {
  const { whole, part } = likeness;
  const { $id, $schema, $defs } = canonical;
  if (part?.at !== "" || part.similarity <= whole || !isJsonObject($defs)) return undefined;
  const definition = $defs[part.name];
  if (!isJsonObject(definition) || copy.$defs !== undefined) return undefined;
  const withOthers = (one: JsonObject) => JSON.stringify({ ...one, $id, $schema, $defs });
  return {
    name: `${part.name} of ${schema}`,
    canonical: withOthers(definition),
    copy: withOthers(copy),
  };
}

function parseSchema(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isSchema = isJsonObject(value) && ["$defs", "properties"].some((key) => key in value);
    return isSchema ? value : undefined;
  } catch {
    return undefined;
  }
}
