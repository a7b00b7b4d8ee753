import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundArtefact } from "#generated/index.js";
import { sha256 } from "../../../base/files/hash.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { validatorOf } from "../../compat/ajv/ajv.js";
import { listNamedTypes } from "../../schemas/named-types.js";
import type { Canonical, KnownVersion } from "../canonical.js";
import { hasText } from "../hash-grade.js";
import { readRecordLines } from "./record-lines.js";
import { locateType, type RecordType, type RecordTypes } from "./record-types.js";

/** Whether a file may hold records, by its name. */
export function isRecordFile(path: string): boolean {
  return /\.(jsonl|ndjson)$/.test(path);
}

/** What a file of records is. */
export interface FoundRecords {
  /** Undefined if at most half of its lines are records of the format, or none is one for certain. */
  readonly fixture: FoundArtefact | undefined;
  /** Records that resemble ours and are not. Undefined if there are none, or the file is a fixture. */
  readonly foreign: ForeignRecords | undefined;
}

/** Records of another format: none is valid, and each lacks a required field or says that it is of another schema. */
export interface ForeignRecords {
  readonly records: number;
  /** The type that they resemble most. */
  readonly closest: string;
  /** What the first `schema_version` says; undefined if there is none. */
  readonly says: string | undefined;
}

interface RecordsContext {
  readonly canonical: Canonical;
  readonly types: RecordTypes;
}

/** What the records of a JSONL file are, and how many the closest version of their schema rejects. */
export function findRecords(
  path: string,
  bytes: Buffer,
  { canonical, types }: RecordsContext,
): FoundRecords {
  const groups = new Map<RecordType, JsonObject[]>();
  let records = 0;
  let isCertain = false;
  let says: unknown;
  for (const { record } of readRecordLines(bytes)) {
    if (!isJsonObject(record)) continue;
    records += 1;
    const guess = types.guess(record);
    if (guess === undefined || !guess.isNear) continue;
    addTo(groups, guess.type, record);
    says ??= record.schema_version;
    isCertain ||= types.claims(record) || isValid(record, guess.type, canonical);
  }
  const known = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const [main] = known;
  const recognised = known.reduce((sum, [, own]) => sum + own.length, 0);
  if (main === undefined || 2 * recognised <= records) return NOTHING;
  if (isCertain) {
    return { fixture: describe(path, bytes, known, { canonical, types }), foreign: undefined };
  }
  const closest = main[0].name;
  const foreign = {
    records: recognised,
    closest,
    says: typeof says === "string" ? says : undefined,
  };
  return { fixture: undefined, foreign };
}

const NOTHING: FoundRecords = { fixture: undefined, foreign: undefined };

function addTo(groups: Map<RecordType, JsonObject[]>, type: RecordType, record: JsonObject): void {
  const known = groups.get(type);
  if (known === undefined) groups.set(type, [record]);
  else known.push(record);
}

function isValid(
  record: JsonObject,
  { schema, pointer }: RecordType,
  canonical: Canonical,
): boolean {
  const newest = canonical.newest(schema);
  if (newest === undefined) return false;
  const location = locateType(canonical.load(schema, newest), { name: "", pointer });
  return validatorOf(location).isValid(record) === true;
}

type TypedRecords = readonly [type: RecordType, records: readonly JsonObject[]];

function describe(
  path: string,
  bytes: Buffer,
  known: readonly TypedRecords[],
  { canonical }: RecordsContext,
): FoundArtefact {
  const schema = known[0]?.[0].schema ?? "";
  const own = known.filter(([type]) => type.schema === schema);
  const { version, invalid } = findClosest(schema, own, canonical);
  const copied = findFixture(bytes, canonical);
  const grade = copied?.hash === sha256(bytes) ? "identical" : "line-ends";
  return {
    kind: "fixture",
    path,
    schema,
    version,
    ...(copied !== undefined && { source: copied.source, grade }),
    types: own.map(([{ name }, { length }], index) => ({
      name,
      records: length,
      invalid: invalid[index] ?? 0,
    })),
  };
}

/** The version that rejects the fewest records, and how many of each type it rejects; of equals the newest. */
function findClosest(schema: string, groups: readonly TypedRecords[], canonical: Canonical) {
  let best: { version: string; invalid: number[]; sum: number } | undefined;
  for (const version of canonical.versionsOf(schema)) {
    const invalid = groups.map((group) => countInvalid(schema, version, group, canonical));
    const sum = invalid.reduce((one, other) => one + other, 0);
    if (best === undefined || sum < best.sum) best = { version: version.version, invalid, sum };
  }
  return best ?? { version: "0.0.0", invalid: [] };
}

/** All, if that version does not have the type. */
function countInvalid(
  schema: string,
  version: KnownVersion,
  [type, records]: TypedRecords,
  canonical: Canonical,
): number {
  const types = listNamedTypes(JSON.parse(version.text), schema);
  const same = types.find(({ pointer }) => pointer === type.pointer);
  if (same === undefined) return records.length;
  const validator = validatorOf(locateType(canonical.load(schema, version), same));
  return records.filter((record) => validator.isValid(record) === false).length;
}

/** The canonical fixture of which a file is a copy, and its hash. */
function findFixture(bytes: Buffer, { root, registry }: Canonical) {
  const sources = (registry.artefacts ?? [])
    .flatMap(({ kind, source }) => (kind === "fixture" ? [source] : []))
    .filter((source) => existsSync(join(root, source)));
  return sources
    .map((source) => ({ source, hash: sha256(readFileSync(join(root, source))) }))
    .find(({ hash }) => hasText(bytes, hash));
}
