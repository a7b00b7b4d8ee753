import type { EntryTypeName, OwnFixture } from "#generated/index.js";
import { type LoadedVersion, loadVersion, type SchemaSource } from "../compat/load-version.js";
import { childOf, type SchemaLocation } from "../compat/schema/schema-set.js";
import { requireValidator, validatorOf } from "../compat/validators.js";
import { createFinding, type Finding } from "../findings/finding.js";
import { locatePointers } from "../json/pointer.js";
import { describeError } from "../json/schema-error.js";
import { isJsonObject } from "../json/value.js";
import { formatCount } from "../text.js";
import { UserError } from "../user-error.js";
import { inferEntryType } from "../validation/guess-type.js";
import type { Canonical } from "./canonical.js";
import { CONFIG_FILE } from "./config.js";
import { surroundingsOf } from "./copy.js";
import type { ScannedHolder } from "./disagreement.js";
import type { Holder } from "./holder.js";

/** Limit on the records of one file that are reported. */
const MAX_RECORDS = 5;

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
      const text = writer.tree.read(fixture.path)?.toString("utf8");
      if (text === undefined || !hasRecords(text)) {
        return { records: 0, findings: findUnreplayed(writer, fixture, text) };
      }
      const ofSchema = copies.filter(({ schema }) => schema === fixture.schema);
      const schemas = [...loadPin(fixture, canonical), ...ofSchema];
      return replayFixture({ writer, fixture, text }, schemas);
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
  text: string | undefined,
): Finding[] {
  const file = tree.nameOf(fixture.path);
  if (text !== undefined) {
    const message = "has no line that is a JSON record, so nothing was replayed: write JSONL";
    return [createFinding({ id: "replay", file, message })];
  }
  // A missing copy has a finding of its own, and the registry only says where records may be.
  if (config === undefined || !fixtures.includes(fixture)) return [];
  const message = `is missing: ${CONFIG_FILE} lists it under fixtures`;
  return [createFinding({ id: "missing", file, message })];
}

function hasRecords(text: string): boolean {
  return text.split("\n").some((line) => parse(line) !== undefined);
}

function listFixtures({ artefacts, fixtures }: Holder): OwnFixture[] {
  return [...artefacts.filter(({ kind }) => kind === "fixture"), ...fixtures];
}

interface ReplayedFixture {
  readonly records: number;
  readonly findings: readonly Finding[];
}

interface WrittenFixture {
  readonly writer: Holder;
  readonly fixture: OwnFixture;
  readonly text: string;
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

function replayFixture(
  { writer, fixture, text }: WrittenFixture,
  schemas: readonly NamedSchema[],
): ReplayedFixture {
  const { records, rejections } = replayRecords(text, schemas);
  const lines = text.split("\n");
  const findings = rejections.slice(0, MAX_RECORDS).map((rejection) => {
    const { line, pointer, message } = rejection;
    return createFinding({
      id: "replay",
      file: writer.tree.nameOf(fixture.path),
      position: { line, column: locatePointers(lines[line - 1] ?? "", [pointer])[0] ?? 1 },
      pointer,
      message: `${describeSides(rejection)}: ${message}`,
      detail: `${rejections.length} of ${formatCount(records, "record")} of this file are not accepted by every schema`,
    });
  });
  return { records, findings };
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

/** A record that at least one of several schemas rejects. */
interface Rejection {
  /** 1-based. */
  readonly line: number;
  readonly acceptedBy: readonly NamedSchema[];
  readonly rejectedBy: readonly NamedSchema[];
  /** JSON Pointer of the first error in the record, by the first schema that rejects it. */
  readonly pointer: string;
  readonly message: string;
}

interface ReplayedRecords {
  readonly records: number;
  readonly rejections: readonly Rejection[];
}

/**
 * Validates every record of a JSONL text against several schemas: as the type inferred from its fields if all have it,
 * else as any type. Lines that are not JSON are skipped.
 */
function replayRecords(text: string, schemas: readonly NamedSchema[]): ReplayedRecords {
  const rejections: Rejection[] = [];
  let records = 0;
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    const record = parse(line);
    if (record === undefined) continue;
    records += 1;
    const verdicts = validateByAll(record, schemas);
    const rejected = verdicts.filter(({ isValid }) => isValid === false);
    const [error] = rejected[0]?.errorsOf(record) ?? [];
    if (rejected.length === 0) continue;
    rejections.push({
      line: index + 1,
      acceptedBy: verdicts.filter(({ isValid }) => isValid === true).map(({ schema }) => schema),
      rejectedBy: rejected.map(({ schema }) => schema),
      pointer: error?.pointer ?? "",
      message: error === undefined ? "is invalid" : describeError(error, record),
    });
  }
  return { records, rejections };
}

/** The verdict of each schema on a record; undefined if Ajv cannot give one. */
function validateByAll(record: unknown, schemas: readonly NamedSchema[]) {
  const type = isJsonObject(record) ? inferEntryType(record) : undefined;
  const definitions = schemas.map(({ version }) => type && definitionOf(version, type));
  const isShared = definitions.every((definition) => definition !== undefined);
  return schemas.map((schema, index) => {
    const definition = isShared ? definitions[index] : undefined;
    const validator = requireValidator(definition ?? schema.version.root);
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
  return Object.hasOwn(definitions, type) ? childOf(root, `/$defs/${type}`) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
