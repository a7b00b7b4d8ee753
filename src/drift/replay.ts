import type { Artefact, EntryTypeName } from "#generated/index.js";
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
import type { OpenedRepository } from "./copy.js";

/** Records of one file that are told one by one. */
const MAX_RECORDS = 5;

export interface FixtureReplay {
  /** Records that were judged, each by each schema. */
  readonly records: number;
  readonly findings: readonly Finding[];
}

/**
 * Judges the fixtures of every repository by the version of their schema at which they are pinned, and by the copy of
 * it that every repository has: a record that its own version rejects, or one copy accepts and another does not, is
 * a finding. The writer's side is its own copy, and where it has none its pin.
 */
export function replayFixtures(
  repositories: readonly OpenedRepository[],
  canonical: Canonical,
): FixtureReplay {
  const copies = repositories.flatMap((owner) => loadCopies(owner, canonical));
  const replays = repositories.flatMap((writer) =>
    writer.artefacts
      .filter(({ kind }) => kind === "fixture")
      .flatMap((fixture) => {
        const text = writer.tree.read(fixture.path)?.toString("utf8");
        if (text === undefined) return [];
        const ofSchema = copies.filter(({ artefact }) => artefact.schema === fixture.schema);
        return replayFixture({ writer, fixture, text }, ofSchema, loadPin(fixture, canonical));
      }),
  );
  return {
    records: replays.reduce((sum, { records }) => sum + records, 0),
    findings: replays.flatMap(({ findings }) => findings),
  };
}

interface WrittenFixture {
  readonly writer: OpenedRepository;
  readonly fixture: Artefact;
  readonly text: string;
}

/** A schema that judges records. */
interface Judge {
  /** What the user calls it. */
  readonly name: string;
  readonly version: LoadedVersion;
}

interface CopyJudge extends Judge {
  readonly owner: OpenedRepository;
  readonly artefact: Artefact;
}

function replayFixture(
  written: WrittenFixture,
  copies: readonly CopyJudge[],
  pin: Judge | undefined,
): FixtureReplay[] {
  const own = copies.find(({ owner }) => owner === written.writer);
  const producer = own ?? pin;
  if (producer === undefined) return [];
  const others = copies.filter((copy) => copy !== own);
  return [
    ...(pin === undefined ? [] : [replay(written, { producer, consumer: pin })]),
    ...others.map((consumer) => replay(written, { producer, consumer })),
  ];
}

interface Judges {
  readonly producer: Judge;
  readonly consumer: Judge | CopyJudge;
}

function replay({ writer, fixture, text }: WrittenFixture, judges: Judges): FixtureReplay {
  const { producer, consumer } = judges;
  const isPin = !("owner" in consumer);
  const { records, rejections } = replayRecords(text, {
    producer: producer.version,
    consumer: consumer.version,
  });
  // What no copy takes is told once, by the pin.
  const told = rejections.filter(({ acceptedBy }) => isPin || acceptedBy !== "neither");
  const lines = text.split("\n");
  const findings = told.slice(0, MAX_RECORDS).map((rejection) => {
    const { line, pointer, message } = rejection;
    return createFinding({
      id: "replay",
      file: writer.tree.nameOf(fixture.path),
      position: { line, column: locatePointers(lines[line - 1] ?? "", [pointer])[0] ?? 1 },
      pointer,
      message: `${describeRejection(rejection, judges)}: ${message}`,
      detail: `${told.length} of ${formatCount(records, "record")} of ${writer.name} disagree with ${consumer.name}`,
    });
  });
  return { records, findings };
}

function describeRejection({ acceptedBy }: Rejection, { producer, consumer }: Judges): string {
  if (acceptedBy === "neither") return `is rejected by ${consumer.name}`;
  const [by, not] = acceptedBy === "producer" ? [producer, consumer] : [consumer, producer];
  return `is valid by ${by.name}, and rejected by ${not.name}`;
}

/** The schemas of a repository, but for those that cannot be read: that is another finding. */
function loadCopies(owner: OpenedRepository, canonical: Canonical): CopyJudge[] {
  return owner.artefacts
    .filter(({ kind }) => kind === "schema")
    .flatMap((artefact) => {
      const name = owner.tree.nameOf(artefact.path);
      const text = owner.tree.read(artefact.path)?.toString("utf8");
      const version = text === undefined ? undefined : tryToLoad(name, text, canonical);
      return version === undefined ? [] : [{ name, version, owner, artefact }];
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

/** What a fixture is held to by its pin; undefined for a version that is not known here. */
function loadPin({ schema, version }: Artefact, canonical: Canonical): Judge | undefined {
  const pinned = canonical.version(schema, version);
  if (pinned === undefined) return undefined;
  const name = `${schema} ${version}`;
  const { text } = pinned;
  return { name, version: loadVersion({ name, text, others: canonical.schemaTexts() }) };
}

/** A record that one of two schemas rejects, or both do. */
export interface Rejection {
  /** From 1. */
  readonly line: number;
  /** Which of the two accepts it. */
  readonly acceptedBy: "producer" | "consumer" | "neither";
  /** JSON Pointer into the record, and what who rejects it says there. */
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

export interface ReplayedRecords {
  readonly records: number;
  readonly rejections: readonly Rejection[];
}

/** Two schemas: that of who writes records, and that of who reads them. */
export interface SchemaPair {
  readonly producer: LoadedVersion;
  readonly consumer: LoadedVersion;
}

/**
 * Judges every record of a JSONL text by two schemas. A record is judged as the type that its shape
 * suggests, where both have that; else as any type that a schema has. Lines that are not JSON are no
 * matter of the schemas and passed over.
 */
export function replayRecords(text: string, { producer, consumer }: SchemaPair): ReplayedRecords {
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
