import type { Artefact } from "#generated/index.js";
import { formatCount } from "../../../src/records/format-count.js";
import { locatePointers } from "../../../src/records/locate-pointers.js";
import { UserError } from "../../../src/user-error.js";
import { type LoadedVersion, loadVersion } from "../../compat/load-version.js";
import { createFinding } from "../../findings/create-finding.js";
import type { Finding } from "../../findings/finding.js";
import type { Canonical } from "../canonical.js";
import type { OpenedRepository } from "../opened-repository.js";
import { type Disagreement, type ReplayedRecords, replayRecords } from "./replay-records.js";

/** Records of one file on which two repositories disagree that are told one by one. */
const MAX_RECORDS = 5;

export interface FixtureReplay {
  /** Records that were judged, each by each consumer. */
  readonly records: number;
  readonly findings: readonly Finding[];
}

/**
 * Judges the fixtures of every repository by the copy of their schema that every other has, and by its own: a record
 * that one side accepts and the other rejects is a finding. The writer's side is its own copy, against itself and
 * where it has none the canonical schema.
 */
export function replayFixtures(
  repositories: readonly OpenedRepository[],
  canonical: Canonical,
): FixtureReplay {
  const copies = repositories.flatMap((reader) => readCopies(reader, canonical));
  const replays = repositories.flatMap((writer) =>
    writer.artefacts
      .filter(({ kind }) => kind === "fixture")
      .flatMap((fixture) => {
        const text = writer.tree.read(fixture.path)?.toString("utf8");
        const readers = copies.filter(({ artefact }) => artefact.schema === fixture.schema);
        return text === undefined
          ? []
          : readers.flatMap((reader) => replay(text, { writer, fixture, reader }, canonical));
      }),
  );
  return {
    records: replays.reduce((sum, { records }) => sum + records, 0),
    findings: replays.flatMap(({ findings }) => findings),
  };
}

interface Replay {
  readonly writer: OpenedRepository;
  readonly fixture: Artefact;
  readonly reader: ReadCopy;
}

function replay(text: string, parties: Replay, canonical: Canonical): FixtureReplay[] {
  const { writer, fixture, reader } = parties;
  const producer = loadWriterSchema(writer, fixture, reader, canonical);
  if (producer === undefined) return [];
  const { records, disagreements } = replayRecords(text, { producer, consumer: reader.version });
  const findings = disagreements
    .slice(0, MAX_RECORDS)
    .map((disagreement) => toFinding(disagreement, { records, disagreements }, text, parties));
  return [{ records, findings }];
}

function toFinding(
  { line, pointer, message, acceptedBy }: Disagreement,
  { records, disagreements }: ReplayedRecords,
  text: string,
  { writer, fixture, reader }: Replay,
): Finding {
  const copy = reader.reader.tree.nameOf(reader.artefact.path);
  const said =
    acceptedBy === "producer"
      ? `is valid in ${writer.name}, and rejected by ${copy}`
      : `is valid by ${copy}, and rejected in ${writer.name}`;
  const source = text.split("\n")[line - 1] ?? "";
  return createFinding({
    id: "replay",
    file: writer.tree.nameOf(fixture.path),
    position: { line, column: locatePointers(source, [pointer])[0] ?? 1 },
    pointer,
    message: `${said}: ${message}`,
    detail: `${disagreements.length} of ${formatCount(records, "record")} of ${writer.name} disagree with ${reader.reader.name}`,
  });
}

interface ReadCopy {
  readonly reader: OpenedRepository;
  readonly artefact: Artefact;
  readonly version: LoadedVersion;
}

/** The schemas of a repository, but for those that cannot be read: that is another finding. */
function readCopies(reader: OpenedRepository, canonical: Canonical): ReadCopy[] {
  return reader.artefacts
    .filter(({ kind }) => kind === "schema")
    .flatMap((artefact) => {
      const version = load(reader, artefact, canonical);
      return version === undefined ? [] : [{ reader, artefact, version }];
    });
}

function load(
  { tree }: OpenedRepository,
  { path }: Artefact,
  canonical: Canonical,
): LoadedVersion | undefined {
  const text = tree
    .read(path)
    ?.toString("utf8")
    .replace(/^\ufeff/, "");
  if (text === undefined) return undefined;
  try {
    return loadVersion({ name: tree.nameOf(path), text, others: canonical.schemaTexts() });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** What who writes the records holds them to. */
function loadWriterSchema(
  writer: OpenedRepository,
  { schema }: Artefact,
  { reader }: ReadCopy,
  canonical: Canonical,
): LoadedVersion | undefined {
  const own = writer.artefacts.find((each) => each.kind === "schema" && each.schema === schema);
  const version = own && reader !== writer ? load(writer, own, canonical) : undefined;
  if (version !== undefined) return version;
  const [newest] = canonical.versionsOf(schema);
  if (newest === undefined) return undefined;
  return loadVersion({ name: schema, text: newest.text, others: canonical.schemaTexts() });
}
