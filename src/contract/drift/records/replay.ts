import type { OwnFixture } from "#generated/index.js";
import { generalisePointer } from "../../../base/findings/accepted.js";
import { createFinding, type Finding } from "../../../base/findings/finding.js";
import { locatePointers } from "../../../base/json/pointer.js";
import type { RecordValidator } from "../../../base/json/schema-error.js";
import { isJsonObject } from "../../../base/json/value.js";
import { CONFIG_FILE } from "../../../base/package.js";
import { formatCount, formatNumber } from "../../../base/text.js";
import { validatorOf } from "../../compat/ajv/ajv.js";
import { loadVersion } from "../../compat/load-version.js";
import type { Canonical } from "../canonical.js";
import { surroundingsOf } from "../copy.js";
import type { Holder } from "../holder.js";
import { typeOf } from "../scan/compare-fork.js";
import type { Fork } from "../scan/find-likeness.js";
import { readRecordLines } from "./record-lines.js";
import { type RecordTypes, tryToLoad } from "./record-types.js";
import { ReplayedSchema, type Verdict } from "./replayed-schema.js";

/** Limit on the causes for which records of one file are rejected. */
const MAX_CAUSES = 50;

/** A repository with its records, and the unregistered schemas that were found in it. */
export interface ReplayedHolder {
  readonly holder: Holder;
  readonly forks: readonly Fork[];
  /** Files of records, copied or its own. */
  readonly fixtures: readonly OwnFixture[];
}

interface FixtureReplay {
  /** The number of records, each validated against every schema that describes its type. */
  readonly records: number;
  /** Of each repository, in their order. */
  readonly findings: readonly (readonly Finding[])[];
  /** What was replayed on each fork. A fork that is no schema, or that Ajv cannot compile, is not among them. */
  readonly forks: ReadonlyMap<Fork, Pick<ReplayedSchema, "records" | "rejected">>;
}

/**
 * Validates the fixtures of every repository, copied or its own, against the pinned version of their schema, and
 * against every repository's copy or fork of it. A finding is a record that at least one of them rejects.
 */
export function replayFixtures(
  repositories: readonly ReplayedHolder[],
  { canonical, types }: { readonly canonical: Canonical; readonly types: RecordTypes },
): FixtureReplay {
  const { forks, copies } = loadAll(repositories, canonical);
  const replays = repositories.map(({ holder: writer, fixtures }) =>
    fixtures.map((fixture) => {
      const bytes = writer.tree.read(fixture.path);
      const ofSchema = copies.filter(({ schema }) => schema === fixture.schema);
      const schemas = [...loadPin(fixture, canonical), ...ofSchema];
      const replayed = bytes && replayRecords(bytes, schemas, types);
      return replayed === undefined || replayed.records === 0
        ? { records: 0, findings: findUnreplayed(writer, fixture, replayed) }
        : { records: replayed.records, findings: toFindings(writer, fixture, replayed) };
    }),
  );
  return {
    records: replays.flat().reduce((sum, { records }) => sum + records, 0),
    findings: replays.map((own) => own.flatMap(({ findings }) => findings)),
    forks,
  };
}

interface LoadedCopies {
  readonly forks: ReadonlyMap<Fork, ReplayedSchema>;
  /** Those, and the registered copies. */
  readonly copies: readonly ReplayedSchema[];
}

function loadAll(repositories: readonly ReplayedHolder[], canonical: Canonical): LoadedCopies {
  const forks = new Map<Fork, ReplayedSchema>();
  const copies = repositories.flatMap(({ holder, forks: found }) => [
    ...loadCopies(holder, canonical),
    ...found.flatMap((fork) => {
      const type = typeOf(fork);
      // On a schema of an unknown type, records of every other type would be rejected.
      if (fork.type !== undefined && type === undefined) return [];
      const loaded = loadCopy({ ...fork, type }, holder, canonical);
      if (loaded !== undefined) forks.set(fork, loaded);
      return loaded ?? [];
    }),
  ]);
  return { forks, copies };
}

/** A record, and the verdicts of the schemas that describe its type. */
interface JudgedRecord {
  readonly record: unknown;
  /** Name of its type, if it can be told. */
  readonly type: string | undefined;
  readonly verdicts: readonly SchemaVerdict[];
}

interface SchemaVerdict extends Verdict {
  readonly schema: ReplayedSchema;
}

/** The verdicts on the record of a line (1-based) of a fixture; undefined if there is none. */
export function judgeRecords(
  { tree }: Holder,
  fixture: OwnFixture,
  line: number,
  repositories: readonly ReplayedHolder[],
  { canonical, types }: { readonly canonical: Canonical; readonly types: RecordTypes },
): JudgedRecord | undefined {
  const bytes = tree.read(fixture.path);
  const lines = bytes === undefined ? [] : [...readRecordLines(bytes)];
  const record = lines.find((each) => each.line === line)?.record;
  if (record === undefined) return undefined;
  const { copies } = loadAll(repositories, canonical);
  const ofSchema = copies.filter(({ schema }) => schema === fixture.schema);
  return judge(record, [...loadPin(fixture, canonical), ...ofSchema], types);
}

function judge(
  record: unknown,
  schemas: readonly ReplayedSchema[],
  types: RecordTypes,
): JudgedRecord {
  const type = isJsonObject(record) ? types.guess(record)?.type : undefined;
  const verdicts = schemas.flatMap((schema) => {
    const verdict = schema.judge(record, type);
    return verdict === undefined ? [] : [{ schema, ...verdict }];
  });
  return { record, type: type?.name, verdicts };
}

/** A fixture without records would pass for any schema. */
function findUnreplayed(
  { config, tree, fixtures }: Holder,
  fixture: OwnFixture,
  replayed: ReplayedRecords | undefined,
): Finding[] {
  const file = tree.nameOf(fixture.path);
  if (replayed !== undefined) {
    const message = "has no line that is a JSON record, so nothing was replayed: write JSONL";
    return [createFinding({ id: "replay", file, message })];
  }
  // A missing copy has a finding of its own.
  if (config === undefined || !fixtures.includes(fixture)) return [];
  const message = `is missing: ${CONFIG_FILE} lists it under fixtures`;
  return [createFinding({ id: "missing", file, message })];
}

/** One finding for each cause: it may reject thousands of records. */
function toFindings(
  { tree }: Holder,
  { path }: OwnFixture,
  { records, rejections, broken }: ReplayedRecords,
): Finding[] {
  const file = tree.nameOf(path);
  const all = formatCount(records, "record");
  const shown = rejections.slice(0, MAX_CAUSES);
  const left = rejections.length - shown.length;
  const rejected = shown.map((rejection, index) => {
    const { line, column, pointer, message, count } = rejection;
    const more = index === shown.length - 1 && left > 0 ? `\n... and ${left} more causes` : "";
    return createFinding({
      id: "replay",
      file,
      position: { line, column },
      pointer,
      message: `${describeSides(rejection)}: ${message}`,
      detail: `${formatNumber(count)} of ${all} of this file, for the same reason${more}`,
    });
  });
  const [first] = broken;
  if (first === undefined) return rejected;
  const unread = createFinding({
    id: "replay",
    file,
    position: { line: first, column: 1 },
    message: "is no JSON, so it was not replayed",
    detail: `${formatCount(broken.length, "such line")} in this file`,
  });
  return [unread, ...rejected];
}

/** Limit on the schemas that are named. */
const MAX_NAMES = 3;

function describeSides({ acceptedBy, rejectedBy }: Rejection): string {
  const rejected = listNames(rejectedBy);
  if (acceptedBy.length === 0) return `is rejected by ${rejected}`;
  return `is accepted by ${listNames(acceptedBy)}, but rejected by ${rejected}`;
}

function listNames(schemas: readonly ReplayedSchema[]): string {
  const names = schemas.slice(0, MAX_NAMES).map(({ name }) => name);
  const left = schemas.length - names.length;
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** The registered schema copies of a repository. Unreadable ones are left out: they have their own finding. */
function loadCopies(holder: Holder, canonical: Canonical): ReplayedSchema[] {
  return holder.artefacts.flatMap(({ kind, path, schema }) => {
    const text = kind === "schema" ? holder.tree.read(path)?.toString("utf8") : undefined;
    return text === undefined ? [] : (loadCopy({ path, schema, text }, holder, canonical) ?? []);
  });
}

interface CopyText extends Pick<Fork, "path" | "schema" | "text"> {
  /** The only record type that it describes, if it is one type. */
  readonly type?: string | undefined;
}

function loadCopy(
  { path, text, ...copy }: CopyText,
  { tree }: Holder,
  canonical: Canonical,
): ReplayedSchema | undefined {
  const name = tree.nameOf(path);
  const source = { name, text, ...surroundingsOf(path, tree, canonical) };
  const version = tryToLoad(() => loadVersion(source));
  if (version === undefined || validatorOf(version.root).problem !== undefined) return undefined;
  return new ReplayedSchema({ ...copy, name, version });
}

/** The pinned schema of a fixture; none if that version is unknown. */
function loadPin({ schema, version }: OwnFixture, canonical: Canonical): ReplayedSchema[] {
  const pinned = canonical.version(schema, version);
  if (pinned === undefined) return [];
  const name = `${schema} ${version}`;
  const loaded = canonical.load(schema, pinned);
  return [new ReplayedSchema({ name, schema, version: loaded, isDemanded: true })];
}

/** What decides on the records of a fixture, in `validate` as in a replay: its schema, in its pinned version. */
export function createPinnedValidator(
  fixture: OwnFixture,
  { canonical, types }: { readonly canonical: Canonical; readonly types: RecordTypes },
): RecordValidator {
  const pin = loadPin(fixture, canonical);
  const verdictOn = (record: unknown): Verdict | undefined => judge(record, pin, types).verdicts[0];
  return {
    isValid: (record) => verdictOn(record)?.isValid,
    errorsOf: (record) => [verdictOn(record)?.error() ?? []].flat(),
  };
}

/** Why records are rejected: at the same place for the same cause, accepted and rejected by the same schemas. */
interface Rejection {
  /** Of the first of them, 1-based. */
  readonly line: number;
  readonly column: number;
  readonly acceptedBy: readonly ReplayedSchema[];
  readonly rejectedBy: readonly ReplayedSchema[];
  /** JSON Pointer of the first error in that record, by the first schema that rejects it. */
  readonly pointer: string;
  readonly message: string;
  /** Number of the records. */
  count: number;
}

interface ReplayedRecords {
  readonly records: number;
  readonly rejections: readonly Rejection[];
  /** The lines that are no JSON, 1-based. */
  readonly broken: readonly number[];
}

/**
 * Validates every record of a JSONL file against the schemas that describe its type; a record whose type cannot be told,
 * as any type.
 */
function replayRecords(
  bytes: Buffer,
  schemas: readonly ReplayedSchema[],
  types: RecordTypes,
): ReplayedRecords {
  const causes = new Map<string, Rejection>();
  const broken: number[] = [];
  let records = 0;
  for (const { line, record, text } of readRecordLines(bytes)) {
    if (record === undefined) {
      broken.push(line);
      continue;
    }
    records += 1;
    const { verdicts } = judge(record, schemas, types);
    const rejected = verdicts.find(({ isValid }) => isValid === false);
    if (rejected === undefined) continue;
    const { pointer = "", message = "is invalid", cause = "" } = rejected.error() ?? {};
    const key = JSON.stringify([
      generalisePointer(pointer),
      cause,
      verdicts.map(({ schema, isValid }) => [schema.name, isValid ?? "undecided"]),
    ]);
    const known = causes.get(key);
    if (known !== undefined) known.count += 1;
    else {
      const namesOf = (wanted: boolean): ReplayedSchema[] =>
        verdicts.filter(({ isValid }) => isValid === wanted).map(({ schema }) => schema);
      causes.set(key, {
        line,
        column: locatePointers(text, [pointer])[0] ?? 1,
        acceptedBy: namesOf(true),
        rejectedBy: namesOf(false),
        pointer,
        message,
        count: 1,
      });
    }
  }
  return { records, rejections: [...causes.values()], broken };
}
