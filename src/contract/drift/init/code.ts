import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import type { FoundArtefact, FoundType, Original } from "#generated/index.js";
import { sha256 } from "../../../base/files/hash.js";
import { isGeneratedText } from "../../codegen/files.js";
import { listArtefacts } from "../../schemas/artefacts.js";
import { contractHash } from "../../schemas/hashes.js";
import type { Canonical } from "../canonical.js";
import { gradeByHashes, hasText } from "../hash-grade.js";
import type { RecordType, RecordTypes } from "../records/record-types.js";
import { type DeclaredType, isSourceCode, readDeclaredTypes } from "./declared-types.js";

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface CodeContext {
  readonly canonical: Canonical;
  readonly types: RecordTypes;
}

/** Copies of generated code, and types written by hand, among the files of a repository. */
export class CodeSurvey {
  readonly #context: CodeContext;
  readonly #sources: readonly GeneratedSource[];
  readonly #copies: GeneratedCopy[] = [];
  readonly #types: FoundArtefact[] = [];

  constructor(context: CodeContext) {
    this.#context = context;
    this.#sources = listSources(context.canonical);
  }

  add(path: string, bytes: Buffer): void {
    if (!isSourceCode(path)) return;
    const file = { path, text: bytes.toString("utf8") };
    const source = this.#sources.find((each) => isCopyOf(file, each));
    if (source !== undefined) this.#copies.push({ source, file });
    else if (!isGenerated(file.text)) this.#types.push(...findTypes(file, this.#context.types.all));
  }

  get found(): FoundArtefact[] {
    return [...this.#listCopies(), ...this.#types];
  }

  #listCopies(): FoundArtefact[] {
    const places = new Map<string, GeneratedCopy[]>();
    for (const copy of this.#copies) {
      const { artefact } = copy.source;
      const path = copy.source.isFolder ? dirname(copy.file.path) : copy.file.path;
      const key = JSON.stringify([artefact.source, path]);
      places.set(key, [...(places.get(key) ?? []), copy]);
    }
    return [...places.values()].flatMap((copies) => {
      const [first] = copies;
      return first === undefined || copies.every(isRuntime)
        ? []
        : [toFoundCopy(first.source, copies, this.#context.canonical)];
    });
  }
}

/** Whether a file is one that every generated package has, of whatever schema. */
function isRuntime({ source, file }: GeneratedCopy): boolean {
  return source.isFolder && basename(file.path).startsWith("_");
}

/** A file of generated code in the repository. */
interface GeneratedCopy {
  readonly source: GeneratedSource;
  readonly file: SourceFile;
}

/** Generated code that repositories copy, with the hashes of its files. */
interface GeneratedSource {
  readonly artefact: Original;
  readonly isFolder: boolean;
  /** By file name. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** The generated code that the registry offers for copying. */
function listSources({ root, registry }: Canonical): GeneratedSource[] {
  const generated = (registry.artefacts ?? []).filter(({ kind }) => kind === "generated");
  return generated.map((artefact) => {
    const files = listArtefacts(root, { ...artefact, path: "", version: "" }).filter(({ source }) =>
      isSourceCode(source),
    );
    return {
      artefact,
      isFolder: files.some(({ source }) => source !== artefact.source),
      hashes: new Map(
        files.map(({ source }) => [basename(source), sha256(readFileSync(join(root, source)))]),
      ),
    };
  });
}

function isGenerated(text: string): boolean {
  return isGeneratedText(text.replace(/^\ufeff/, ""));
}

function isCopyOf({ path, text }: SourceFile, { hashes }: GeneratedSource): boolean {
  const hash = hashes.get(basename(path));
  return hash !== undefined && (isGenerated(text) || hasText(text, hash));
}

function toFoundCopy(
  { artefact, isFolder, hashes }: GeneratedSource,
  copies: readonly GeneratedCopy[],
  canonical: Canonical,
): FoundArtefact {
  const files = copies.map(({ file }) => file);
  const [first] = files;
  const path = first?.path ?? "";
  const grades = files.map((file) => {
    const bytes = hashes.get(basename(file.path));
    return bytes === undefined ? "changed" : gradeByHashes({ bytes }, file.text).grade;
  });
  const isWhole = files.length === hashes.size;
  const grade = ["changed", "formatting", "line-ends"].find((each) =>
    grades.some((own) => own === each),
  );
  return {
    kind: "generated",
    path: isFolder ? dirname(path) : path,
    ...(isFolder && { files: files.length }),
    schema: artefact.schema,
    version: findVersion(files, artefact.schema, canonical),
    source: artefact.source,
    types: [],
    grade: grade ?? (isWhole ? "identical" : "changed"),
    ...(isWhole ? {} : { difference: `has ${files.length} of ${hashes.size} files` }),
  };
}

/** The version from which the code was generated, by the hash in its header; else the newest. */
function findVersion(files: readonly SourceFile[], schema: string, canonical: Canonical): string {
  const known = canonical.versionsOf(schema);
  const made = known.find(({ text }) => {
    const hash = contractHash(JSON.parse(text));
    return files.some((file) => file.text.slice(0, 4000).includes(hash));
  });
  return (made ?? known[0])?.version ?? "0.0.0";
}

/** The share of fields that types of different names must have in common, and their number. */
const MIN_SIMILARITY = 0.6;
const MIN_SHARED = 6;

function findTypes({ path, text }: SourceFile, types: readonly RecordType[]): FoundArtefact[] {
  const found = new Map<string, { type: RecordType; declared: FoundType[] }>();
  for (const declared of readDeclaredTypes(path, text)) {
    const type = findCounterpart(declared, types);
    if (type === undefined) continue;
    const known = found.get(type.schema) ?? { type, declared: [] };
    found.set(type.schema, { type, declared: [...known.declared, toFoundType(declared, type)] });
  }
  return [...found.values()].map(({ type: { schema, version }, declared }) => ({
    kind: "types",
    path,
    schema,
    version,
    types: declared,
  }));
}

/** The record type of the same name; else the most similar one, if it is similar enough. */
function findCounterpart(
  { name, fields }: DeclaredType,
  types: readonly RecordType[],
): RecordType | undefined {
  const ranked = types
    .map((type) => {
      const shared = type.fields.filter((field) => fields.includes(field)).length;
      return { type, shared, similarity: shared / (fields.length + type.fields.length - shared) };
    })
    .sort((one, other) => other.similarity - one.similarity);
  const same = ranked.find(({ type, shared }) => type.name === name && shared > 0);
  const like = ranked.find(
    ({ shared, similarity }) => shared >= MIN_SHARED && similarity >= MIN_SIMILARITY,
  );
  return (same ?? like)?.type;
}

function toFoundType({ fields }: DeclaredType, type: RecordType): FoundType {
  return {
    name: type.name,
    shared: type.fields.filter((field) => fields.includes(field)).length,
    missing: type.fields.filter((field) => !fields.includes(field)),
    other: fields.filter((field) => !type.fields.includes(field)),
  };
}
