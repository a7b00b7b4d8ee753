import { sha256 } from "../../../base/files/hash.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../base/json/value.js";
import { formatCount } from "../../../base/text.js";
import type { SchemaFiles } from "../../compat/schema/schema-files.js";
import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import { isCollection, listNamedTypes, type NamedType } from "../../schemas/named-types.js";
import type { Canonical, KnownVersion } from "../canonical.js";
import { describeChanges, describeGrade, hashesOf, surroundingsOf } from "../copy.js";
import { type CopyGrade, gradeCopy, type Surroundings } from "../grade.js";
import { withPlainLineEnds } from "../hash-grade.js";
import type { Tree } from "../trees/tree.js";
import type { Fork } from "./find-likeness.js";
import { maxSimilarity } from "./likeness.js";
import { compareStructures, structureOf } from "./structure.js";

/** A file that is a schema, compared with the closest version of the canonical one. */
export interface ComparedFork {
  readonly version: string;
  readonly grade: CopyGrade["grade"];
  /** To that version: of the whole or, if it is one record type, of that. */
  readonly similarity: number;
  /** What it was compared with, such as `DpoRecord of rollout-wire 1.0.0`. */
  readonly original: string;
  /** What it is to that, in words that follow "it". */
  readonly outcome: string;
  /** The differences that matter for records, in lines; empty if there are none. */
  readonly changes: string;
  /** What was compared: the whole, its record type, or its definitions. Only what differs. */
  readonly parts: readonly ComparedPart[];
}

/** The original, as the old version, and the fork. */
export type ComparedPart = Pick<
  Extract<CopyGrade, { readonly comparison: unknown }>,
  "comparison" | "versions"
>;

interface ForkContext {
  readonly tree: Tree;
  readonly canonical: Canonical;
}

/** Whether a file is a schema of several record types, not of one, not a part, nor a text that contains one. */
export function isWholeSchema(fork: Fork): boolean {
  const document = parseSchema(fork.text);
  return document !== undefined && fork.type === undefined && !isCollection(document);
}

/** The record type that a file copies, if it copies only one and that can be told. */
export function typeOf({ type }: Fork): string | undefined {
  return type?.name;
}

/** Compares a fork with the closest version. Undefined if the file only contains a schema, as source code does. */
export function compareFork(fork: Fork, context: ForkContext): ComparedFork | undefined {
  const { canonical, tree } = context;
  const document = parseSchema(fork.text);
  const closest = document && findClosest(fork, document, canonical.versionsOf(fork.schema));
  if (document === undefined || closest === undefined) return undefined;
  const type = typeOf(fork);
  const likeness = compareStructures(structureOf(document), structureOf(JSON.parse(closest.text)));
  const { part } = fork.likeness;
  const ofType = part?.at === "" ? part.similarity : maxSimilarity(likeness);
  const similarity = type === undefined ? likeness.whole : ofType;
  const pair = {
    fork,
    document,
    closest,
    surroundings: {
      ...surroundingsOf(fork.path, tree, canonical),
      canonicalFiles: canonical.filesOfSchema(closest.file),
    },
  };
  const pointer = type && findPointer(type, JSON.parse(closest.text), fork.schema);
  if (type && pointer) return { ...compareType({ name: type, pointer }, pair), similarity };
  const shared = isCollection(document)
    ? sharedDefinitions(document, JSON.parse(closest.text))
    : [];
  const compared = shared.length > 0 ? compareParts(shared, pair) : compareWhole(pair);
  return { ...compared, similarity };
}

interface ForkPair {
  readonly fork: Fork;
  readonly document: JsonObject;
  readonly closest: KnownVersion;
  readonly surroundings: Surroundings & { readonly canonicalFiles: SchemaFiles };
}

/** Where a type is defined; undefined if the version does not have it. */
function findPointer(type: string, document: JsonObject, schema: string): string | undefined {
  const listed = listNamedTypes(document, schema).find(({ name }) => name === type);
  const defined = definitionsOf(document).find(({ name }) => name === type);
  return (listed ?? defined)?.pointer;
}

type Comparison = Omit<ComparedFork, "similarity">;

function compareWhole({ fork, closest, surroundings }: ForkPair): Comparison {
  const graded = gradeCopy({ canonical: closest.text, copy: fork.text, ...surroundings });
  // The text has neither the byte-order mark nor the encoding of the file.
  const isEncoded = graded.grade === "identical" && fork.hash !== sha256(closest.text);
  return toCompared(fork.schema, closest.version, isEncoded ? { grade: "formatting" } : graded);
}

function compareType(
  { name, pointer }: NamedType,
  { fork, document, closest, surroundings }: ForkPair,
): Comparison {
  const copy = JSON.stringify(withDefinitions(document, JSON.parse(closest.text)));
  const fragment = { canonical: pointer };
  const graded = gradeCopy({ canonical: closest.text, fragment, copy, ...surroundings });
  return toCompared(`${name} of ${fork.schema}`, closest.version, graded);
}

/** A definition that was copied alone still refers to the others. */
function withDefinitions(copy: JsonObject, canonical: JsonObject): JsonObject {
  const { $schema, $defs } = canonical;
  if (definitionsOf(copy).length > 0) return copy;
  const { $id: _, ...anonymous } = copy;
  return { $schema, ...anonymous, $defs };
}

function toCompared(name: string, version: string, graded: CopyGrade): Comparison {
  const { grade } = graded;
  const original = `${name} ${version}`;
  if (grade === "unreadable") {
    return {
      version,
      grade,
      original,
      outcome: `cannot be read: ${graded.because}`,
      changes: "",
      parts: [],
    };
  }
  const outcome = grade === "compatible" ? "accepts the same records" : describeGrade(graded);
  const changes = "comparison" in graded ? describe(original, graded) : "";
  return { version, grade, original, outcome, changes, parts: partsOf(graded) };
}

function partsOf(graded: CopyGrade): ComparedPart[] {
  return "comparison" in graded ? [graded] : [];
}

function describe(
  name: string,
  graded: Extract<CopyGrade, { readonly comparison: unknown }>,
): string {
  return describeChanges(name, graded.comparison, graded.versions).detail;
}

/** Grades from harmless to harmful. */
const SEVERITIES = ["compatible", "undecided", "breaking", "unreadable"];

/** Compares a collection of definitions, one by one. */
function compareParts(shared: readonly SharedDefinition[], pair: ForkPair): Comparison {
  const { fork, closest, surroundings } = pair;
  const compared = shared.map(({ name, pointer, canonical }) => {
    const fragment = { canonical, copy: pointer };
    const texts = { canonical: closest.text, copy: fork.text };
    return { name, graded: gradeCopy({ ...texts, fragment, ...surroundings }) };
  });
  const differing = compared.filter(({ graded }) => SEVERITIES.indexOf(graded.grade) > 0);
  const original = `${fork.schema} ${closest.version}`;
  const grade = SEVERITIES.findLast((each) =>
    differing.some(({ graded }) => graded.grade === each),
  );
  const outcome =
    differing.length === 0
      ? "which accept the same values"
      : `but not the same ${differing.map(({ name }) => name).join(", ")}`;
  const changes = differing.map(({ name, graded }) =>
    "comparison" in graded ? describe(`${name} of ${original}`, graded) : `${name} cannot be read`,
  );
  return {
    version: closest.version,
    grade: differing.find(({ graded }) => graded.grade === grade)?.graded.grade ?? "compatible",
    original,
    outcome: `has ${formatCount(shared.length, "definition")} of it, ${outcome}`,
    changes: changes.join("\n"),
    parts: differing.flatMap(({ graded }) => partsOf(graded)),
  };
}

interface SharedDefinition extends NamedType {
  /** Pointer to the definition of the same name in the canonical schema. */
  readonly canonical: string;
}

function sharedDefinitions(copy: JsonObject, canonical: JsonObject): SharedDefinition[] {
  const known = new Map(definitionsOf(canonical).map(({ name, pointer }) => [name, pointer]));
  return definitionsOf(copy).flatMap((definition) => {
    const pointer = known.get(definition.name);
    return pointer === undefined ? [] : [{ ...definition, canonical: pointer }];
  });
}

function definitionsOf(document: JsonObject): NamedType[] {
  return DEFINITION_KEYWORDS.flatMap((keyword) => {
    const definitions = document[keyword];
    if (!isJsonObject(definitions)) return [];
    return Object.keys(definitions)
      .filter((name) => /^\w+$/.test(name))
      .map((name) => ({ name, pointer: `/${keyword}/${name}` }));
  });
}

/** The version with the same bytes, canonical form or contract, else the most similar one; of equals the newest. */
function findClosest(
  { text }: Fork,
  document: JsonObject,
  versions: readonly KnownVersion[],
): KnownVersion | undefined {
  const own = hashesOf(withPlainLineEnds(text));
  for (const hash of own === undefined ? [] : (["bytes", "canonical", "contract"] as const)) {
    const same = versions.find(
      (each) => hashesOf(withPlainLineEnds(each.text))?.[hash] === own?.[hash],
    );
    if (same !== undefined) return same;
  }
  const structure = structureOf(document);
  let best: { readonly version: KnownVersion; readonly similarity: number } | undefined;
  for (const version of versions) {
    const likeness = compareStructures(structure, structureOf(JSON.parse(version.text)));
    const similarity = maxSimilarity(likeness);
    if (best === undefined || similarity > best.similarity) best = { version, similarity };
  }
  return best?.version;
}

function parseSchema(text: string): JsonObject | undefined {
  const value = tryParseJson(text);
  const keywords = [...DEFINITION_KEYWORDS, "properties", "oneOf", "anyOf"];
  const isSchema = isJsonObject(value) && keywords.some((key) => key in value);
  return isSchema ? value : undefined;
}
