import type { EntryTypeName, OwnFixture } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { inferEntryType } from "../../base/json/entry-type.js";
import { locatePointers } from "../../base/json/pointer.js";
import { describeError } from "../../base/json/schema-error.js";
import { isJsonObject } from "../../base/json/value.js";
import { CONFIG_FILE } from "../../base/package.js";
import { formatCount, formatNumber } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import { type LoadedVersion, loadVersion, type SchemaSource } from "../compat/load-version.js";
import { childOf, type SchemaLocation } from "../compat/schema/schema-set.js";
import { validatorOf } from "../compat/validators.js";
import type { Canonical } from "./canonical.js";
import { surroundingsOf } from "./copy.js";
import type { ScannedHolder } from "./disagreement.js";
import type { Holder } from "./holder.js";
import { readRecordLines } from "./record-lines.js";

/** Limit on the causes for which records of one file are rejected. */
const MAX_CAUSES = 50;

interface FixtureReplay {
  /** The number of records, each validated against every schema. */
  readonly records: number;
  /** Of each repository, in their order. */
  readonly findings: readonly (readonly Finding[])[];
}

/**
 * Validates the fixtures of every repository, copied or its own, against the pinned version of their schema, and
 * against every repository's copy or fork of it. A finding is a record that at least one of them rejects.
 */
export function replayFixtures(
  repositories: readonly ScannedHolder[],
  canonical: Canonical,
): FixtureReplay {
  const copies = repositories.flatMap((each) => loadCopies(each, canonical));
  const replays = repositories.map(({ holder: writer }) =>
    listFixtures(writer).map((fixture) => {
      const bytes = writer.tree.read(fixture.path);
      const ofSchema = copies.filter(({ schema }) => schema === fixture.schema);
      const schemas = [...loadPin(fixture, canonical), ...ofSchema];
      const replayed = bytes && replayRecords(bytes, schemas);
      return replayed === undefined || replayed.records === 0
        ? { records: 0, findings: findUnreplayed(writer, fixture, replayed) }
        : { records: replayed.records, findings: toFindings(writer, fixture, replayed) };
    }),
  );
  return {
    records: replays.flat().reduce((sum, { records }) => sum + records, 0),
    findings: replays.map((own) => own.flatMap(({ findings }) => findings)),
  };
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
  // A missing copy has a finding of its own, and the registry only says where records may be.
  if (config === undefined || !fixtures.includes(fixture)) return [];
  const message = `is missing: ${CONFIG_FILE} lists it under fixtures`;
  return [createFinding({ id: "missing", file, message })];
}

function listFixtures({ artefacts, fixtures }: Holder): OwnFixture[] {
  return [...artefacts.filter(({ kind }) => kind === "fixture"), ...fixtures];
}

/** A loaded schema. */
interface NamedSchema {
  /** Its name for messages. */
  readonly name: string;
  readonly version: LoadedVersion;
}

interface SchemaCopy extends NamedSchema {
  /** Name of the schema that it is a copy of. */
  readonly schema: string;
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

function listNames(schemas: readonly NamedSchema[]): string {
  const names = schemas.slice(0, MAX_NAMES).map(({ name }) => name);
  const left = schemas.length - names.length;
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/**
 * The schema copies of a repository, and after them the forks that are one whole schema. Unreadable ones are skipped:
 * they have their own finding.
 */
function loadCopies({ holder, forks }: ScannedHolder, canonical: Canonical): SchemaCopy[] {
  const { tree, artefacts } = holder;
  const registered = artefacts
    .filter(({ kind }) => kind === "schema")
    .map(({ path, schema }) => ({ path, schema, text: tree.read(path)?.toString("utf8") }));
  return [...registered, ...forks].flatMap(({ path, schema, text }) => {
    const name = tree.nameOf(path);
    const source = text !== undefined && { name, text, ...surroundingsOf(path, tree, canonical) };
    const version = source ? tryToLoad(source) : undefined;
    return version === undefined ? [] : [{ name, version, schema }];
  });
}

function tryToLoad(source: SchemaSource): LoadedVersion | undefined {
  try {
    const version = loadVersion(source);
    return validatorOf(version.root).problem === undefined ? version : undefined;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The pinned schema of a fixture; none if that version is unknown. */
function loadPin({ schema, version }: OwnFixture, canonical: Canonical): NamedSchema[] {
  const pinned = canonical.version(schema, version);
  if (pinned === undefined) return [];
  const name = `${schema} ${version}`;
  const { text } = pinned;
  return [{ name, version: loadVersion({ name, text, others: canonical.schemaTexts() }) }];
}

/** Why records are rejected: at the same place, accepted and rejected by the same schemas. */
interface Rejection {
  /** Of the first of them, 1-based. */
  readonly line: number;
  readonly column: number;
  readonly acceptedBy: readonly NamedSchema[];
  readonly rejectedBy: readonly NamedSchema[];
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
 * Validates every record of a JSONL file against several schemas: as the type inferred from its fields if all have it,
 * else as any type.
 */
function replayRecords(bytes: Buffer, schemas: readonly NamedSchema[]): ReplayedRecords {
  const causes = new Map<string, Rejection>();
  const broken: number[] = [];
  let records = 0;
  for (const { line, record, text } of readRecordLines(bytes)) {
    if (record === undefined) {
      broken.push(line);
      continue;
    }
    records += 1;
    const verdicts = validateByAll(record, schemas);
    const [rejected] = verdicts.filter(({ isValid }) => isValid === false);
    if (rejected === undefined) continue;
    const [error] = rejected.errorsOf(record);
    const pointer = error?.pointer ?? "";
    const key = JSON.stringify([
      pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*"),
      verdicts.map(({ isValid }) => isValid ?? "undecided"),
    ]);
    const known = causes.get(key);
    if (known !== undefined) known.count += 1;
    else {
      const namesOf = (wanted: boolean): NamedSchema[] =>
        verdicts.filter(({ isValid }) => isValid === wanted).map(({ schema }) => schema);
      causes.set(key, {
        line,
        column: locatePointers(text, [pointer])[0] ?? 1,
        acceptedBy: namesOf(true),
        rejectedBy: namesOf(false),
        pointer,
        message: error === undefined ? "is invalid" : describeError(error, record),
        count: 1,
      });
    }
  }
  return { records, rejections: [...causes.values()], broken };
}

/** The verdict of each schema on a record; undefined if Ajv cannot give one. */
function validateByAll(record: unknown, schemas: readonly NamedSchema[]) {
  const type = isJsonObject(record) ? inferEntryType(record) : undefined;
  const definitions = schemas.map(({ version }) => type && definitionOf(version, type));
  const isShared = definitions.every((definition) => definition !== undefined);
  return schemas.map((schema, index) => {
    const definition = isShared ? definitions[index] : undefined;
    const validator = validatorOf(definition ?? schema.version.root);
    return {
      schema,
      isValid: validator.isValid(record),
      errorsOf: validator.errorsOf.bind(validator),
    };
  });
}

function definitionOf({ root }: LoadedVersion, type: EntryTypeName): SchemaLocation | undefined {
  const definitions: unknown = isJsonObject(root.schema) ? root.schema.$defs : undefined;
  if (!isJsonObject(definitions)) return undefined;
  if (!Object.hasOwn(definitions, type)) return undefined;
  const location = childOf(root, `/$defs/${type}`);
  // Ajv may compile a schema, but not a definition that it does not use.
  return validatorOf(location).problem === undefined ? location : undefined;
}
