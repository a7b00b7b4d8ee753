import type { EntryTypeName, OwnFixture } from "#generated/index.js";
import { type LoadedVersion, loadVersion } from "../compat/load-version.js";
import { childOf, type SchemaLocation } from "../compat/schema/schema-set.js";
import { requireValidator } from "../compat/validators.js";
import { createFinding, type Finding } from "../findings/finding.js";
import { locatePointers } from "../json/pointer.js";
import { describeError } from "../json/schema-error.js";
import { isJsonObject } from "../json/value.js";
import { formatCount } from "../text.js";
import { UserError } from "../user-error.js";
import { inferEntryType } from "../validation/structure.js";
import type { Canonical } from "./canonical.js";
import { CONFIG_FILE } from "./config.js";
import type { ScannedHolder } from "./disagreement.js";
import type { Holder } from "./holder.js";

/** Limit on the records of one file that are reported. */
const MAX_RECORDS = 5;

interface FixtureReplay {
  /** The number of validated records, counted once per pair of schemas. */
  readonly records: number;
  /** Of each repository, in their order. */
  readonly findings: readonly (readonly Finding[])[];
}

/**
 * Validates the fixtures of every repository, copied or its own, against the pinned version of their schema, and
 * against every repository's copy or fork of it. A finding is a record that the pinned version rejects, or that the
 * writer's schema and a copy disagree on. The writer's schema is its own copy, or the pinned version if it has none.
 */
export function replayFixtures(
  repositories: readonly ScannedHolder[],
  canonical: Canonical,
): FixtureReplay {
  const copies = repositories.flatMap((each) => loadCopies(each, canonical));
  const replays = repositories.map(({ holder: writer }) =>
    listFixtures(writer).flatMap((fixture) => {
      const text = writer.tree.read(fixture.path)?.toString("utf8");
      if (text === undefined || !hasRecords(text)) {
        return [{ records: 0, findings: findUnreplayed(writer, fixture, text) }];
      }
      const ofSchema = copies.filter(({ schema }) => schema === fixture.schema);
      return replayFixture({ writer, fixture, text }, ofSchema, loadPin(fixture, canonical));
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
  readonly owner: Holder;
  /** Name of the schema that it is a copy of. */
  readonly schema: string;
}

function replayFixture(
  written: WrittenFixture,
  copies: readonly SchemaCopy[],
  pin: NamedSchema | undefined,
): ReplayedFixture[] {
  const own = copies.find(({ owner }) => owner === written.writer);
  const producer = own ?? pin;
  if (producer === undefined) return [];
  const others = copies.filter((copy) => copy !== own);
  return [
    ...(pin === undefined ? [] : [replay(written, { producer, consumer: pin })]),
    ...others.map((consumer) => replay(written, { producer, consumer })),
  ];
}

interface Sides {
  readonly producer: NamedSchema;
  readonly consumer: NamedSchema | SchemaCopy;
}

function replay({ writer, fixture, text }: WrittenFixture, sides: Sides): ReplayedFixture {
  const { producer, consumer } = sides;
  const isPin = !("owner" in consumer);
  const { records, rejections } = replayRecords(text, {
    producer: producer.version,
    consumer: consumer.version,
  });
  // A record that both sides reject is reported once, against the pinned version.
  const reported = rejections.filter(({ acceptedBy }) => isPin || acceptedBy !== "neither");
  const lines = text.split("\n");
  const findings = reported.slice(0, MAX_RECORDS).map((rejection) => {
    const { line, pointer, message } = rejection;
    return createFinding({
      id: "replay",
      file: writer.tree.nameOf(fixture.path),
      position: { line, column: locatePointers(lines[line - 1] ?? "", [pointer])[0] ?? 1 },
      pointer,
      message: `${describeRejection(rejection, sides)}: ${message}`,
      detail: `${reported.length} of ${formatCount(records, "record")} of ${writer.name} disagree with ${consumer.name}`,
    });
  });
  return { records, findings };
}

function describeRejection({ acceptedBy }: Rejection, { producer, consumer }: Sides): string {
  if (acceptedBy === "neither") return `is rejected by ${consumer.name}`;
  const [by, not] = acceptedBy === "producer" ? [producer, consumer] : [consumer, producer];
  return `is accepted by ${by.name}, but rejected by ${not.name}`;
}

/**
 * The schema copies of a repository, and after them the forks that are one whole schema. Unreadable ones are skipped:
 * they have their own finding.
 */
function loadCopies({ holder: owner, forks }: ScannedHolder, canonical: Canonical): SchemaCopy[] {
  const { tree, artefacts } = owner;
  const registered = artefacts
    .filter(({ kind }) => kind === "schema")
    .map(({ path, schema }) => ({ path, schema, text: tree.read(path)?.toString("utf8") }));
  return [...registered, ...forks].flatMap(({ path, schema, text }) => {
    const name = tree.nameOf(path);
    const version = text === undefined ? undefined : tryToLoad(name, text, canonical);
    return version === undefined ? [] : [{ name, version, owner, schema }];
  });
}

function tryToLoad(name: string, text: string, canonical: Canonical): LoadedVersion | undefined {
  try {
    return loadVersion({ name, text, others: canonical.schemaTexts() });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The pinned schema of a fixture; undefined if that version is unknown. */
function loadPin({ schema, version }: OwnFixture, canonical: Canonical): NamedSchema | undefined {
  const pinned = canonical.version(schema, version);
  if (pinned === undefined) return undefined;
  const name = `${schema} ${version}`;
  const { text } = pinned;
  return { name, version: loadVersion({ name, text, others: canonical.schemaTexts() }) };
}

/** A record that at least one of two schemas rejects. */
interface Rejection {
  /** 1-based. */
  readonly line: number;
  /** Which of the two accepts it. */
  readonly acceptedBy: "producer" | "consumer" | "neither";
  /** JSON Pointer of the error in the record. */
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

interface ReplayedRecords {
  readonly records: number;
  readonly rejections: readonly Rejection[];
}

/** The writer's schema and the reader's schema. */
interface SchemaPair {
  readonly producer: LoadedVersion;
  readonly consumer: LoadedVersion;
}

/**
 * Validates every record of a JSONL text against two schemas: as the type inferred from its fields if both have it,
 * else as any type. Lines that are not JSON are skipped.
 */
function replayRecords(text: string, { producer, consumer }: SchemaPair): ReplayedRecords {
  const rejections: Rejection[] = [];
  let records = 0;
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    const record = parse(line);
    if (record === undefined) continue;
    records += 1;
    const type = isJsonObject(record) ? inferEntryType(record) : undefined;
    const [written, read] = [
      validatorFor(producer, consumer, type),
      validatorFor(consumer, producer, type),
    ];
    const isWritten = written.isValid(record);
    const isRead = read.isValid(record);
    if (isWritten === undefined || isRead === undefined || (isWritten && isRead)) continue;
    const [error] = (isRead ? written : read).errorsOf(record);
    rejections.push({
      line: index + 1,
      acceptedBy: isWritten ? "producer" : isRead ? "consumer" : "neither",
      pointer: error?.pointer ?? "",
      message: error === undefined ? "is invalid" : describeError(error, record),
      keyword: error?.keyword ?? "schema",
    });
  }
  return { records, rejections };
}

function validatorFor(own: LoadedVersion, other: LoadedVersion, type: EntryTypeName | undefined) {
  const definition = type && definitionOf(own, type);
  const isShared = definition !== undefined && definitionOf(other, type) !== undefined;
  return requireValidator(isShared ? definition : own.root);
}

function definitionOf(
  { root }: LoadedVersion,
  type: EntryTypeName | undefined,
): SchemaLocation | undefined {
  const definitions: unknown = isJsonObject(root.schema) ? root.schema.$defs : undefined;
  if (type === undefined || !isJsonObject(definitions)) return undefined;
  return Object.hasOwn(definitions, type) ? childOf(root, `/$defs/${type}`) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
