import type { DiffFinding } from "#generated/index.js";
import { createPaint } from "../../base/paint.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { isSource, LENSES, type Lens } from "../../contract/compat/change.js";
import type {
  Verdict,
  Verdicts,
  VersionComparison,
} from "../../contract/compat/compare-versions.js";
import type { EntryPair } from "../../contract/compat/entry-points.js";
import type { Break, LoadedVersions } from "../../contract/compat/findings.js";
import { DRAFT_2020_12 } from "../../contract/compat/schema/dialects.js";
import { describeDialect } from "../../contract/compat/schema/parse-schema.js";
import {
  DIRECTIONS,
  type Direction,
  type SchemaLocation,
} from "../../contract/compat/schema/schema-set.js";
import { acceptsNothing } from "../../contract/compat/unmatched.js";
import { identifySchema } from "../../contract/compat/versions/changelog.js";
import { type Choice, isChosen, mayBreak } from "../../contract/compat/versions/choice.js";
import {
  type ComparedRange,
  type ComparedSchema,
  type Conditions,
  mergeConditions,
  type ShownChange,
  type UncomparedSchema,
} from "../../contract/compat/versions/compare.js";
import { findRegistered, readSchemaId } from "../../contract/compat/versions/schema-id.js";
import { describeUpcasters } from "../../contract/migrate/step.js";
import { listMovers } from "../../contract/schemas/registry.js";

/** What a verdict means to people. */
export const MEANINGS: Readonly<Record<Direction, Readonly<Record<Verdict, string>>>> = {
  backward: {
    compatible: "new readers accept all old data",
    breaking: "new readers reject data that is valid today",
    undecided: "it is undecided whether new readers accept all old data",
  },
  forward: {
    compatible: "old readers accept all new data",
    breaking: "old readers reject data that is valid after the change",
    undecided: "it is undecided whether old readers accept all new data",
  },
};

/** Maximum number of other changes that are listed. */
const MAX_OTHERS = 10;

/**
 * The text output: what was compared, verdicts, breaks with proof, other changes, and the verdicts of the other
 * compatibility modes.
 */
export function describeDiff(
  { comparison: { lenses, entries }, versions, shown, report, conditions, faults }: ComparedSchema,
  choice: Choice,
  colour: boolean,
): string {
  const harmful = shown.filter(({ listed }) => listed.length > 0);
  const hidden = report.notListed.error;
  const empty = shown.filter(({ change }) => change.rule === acceptsNothing);
  return [
    ...empty.map(({ subject }) =>
      escapeControls(`empty     the new version of ${subject} accepts no record at all`),
    ),
    ...describeCompared(entries, versions),
    ...choice.lenses.flatMap((lens) => describeVerdicts(lens, lenses[lens], choice)),
    ...describeConditions(conditions).map((line) => `          ${line}`),
    ...describeFaults(faults),
    ...harmful.flatMap((change) => ["", ...describeHarm(change, colour)]),
    ...(hidden > 0 ? ["", `... and ${formatCount(hidden, "more finding")}`] : []),
    ...describeOthers(shown, choice),
    ...describeOtherLenses(lenses, choice),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Dialects other than the usual one, and types that do not have the same name in both versions. */
function describeCompared(
  entries: VersionComparison["entries"],
  { old: older, new: newer }: LoadedVersions,
): string[] {
  const dialects = [older.dialect, newer.dialect].map(describeDialect);
  const different = [...new Set(dialects)];
  const isUsual = different.join() === describeDialect(DRAFT_2020_12);
  const renamed = entries
    .map(({ pair }) => toComparedType(pair))
    .filter(({ old: one, new: other }) => one !== undefined && other !== undefined && one !== other)
    .map(({ old: one, new: other }) => `compared  ${one} with ${other}`);
  const said = [...(isUsual ? [] : [`dialect   ${different.join(", then ")}`]), ...renamed];
  return said.length === 0 ? [] : [...said.map(escapeControls), ""];
}

function describeVerdicts(lens: Lens, verdicts: Verdicts, { directions }: Choice): string[] {
  if (isSource(lens)) {
    return [`${lens.padEnd(12)}${verdicts.backward.padEnd(14)}code that uses the old types`];
  }
  return DIRECTIONS.map((direction) => {
    const verdict = verdicts[direction];
    const meaning = MEANINGS[direction][verdict];
    const note = directions.includes(direction) ? "" : ", a note";
    return `${direction.padEnd(10)}${verdict.padEnd(14)}${meaning}  (${lens}${note})`;
  });
}

/** On what verdicts rest that is not here. */
export function listConditions(
  { unchanged, notReferredTo }: Conditions,
  quote: (text: string) => string = String,
): string[] {
  const names = notReferredTo.slice(0, MAX_OTHERS).map(quote).join(", ");
  const more = notReferredTo.length > MAX_OTHERS ? ", ..." : "";
  const changed = `nothing that changed here (${names}${more})`;
  const isOne = unchanged.length === 1;
  const back = isOne && names !== "" ? `, and refers to ${changed}` : "";
  const lines = unchanged.map((each) => `if ${quote(each)} did not change${back}: it is not here`);
  return isOne || names === "" ? lines : [...lines, `and if they refer to ${changed}`];
}

/** What nobody can read, and counts as equal where its text is equal. */
function describeFaults(faults: readonly string[]): string[] {
  const shown = faults.slice(0, MAX_OTHERS).map((fault) => `not read: ${fault}`);
  const hidden = faults.length - shown.length;
  const lines = hidden > 0 ? [...shown, `not read: ${formatCount(hidden, "more part")}`] : shown;
  return lines.map((line) => escapeControls(`          ${line}`));
}

/** The same as text. */
export function printConditions(conditions: Conditions): string {
  return describeConditions(conditions)
    .map((line) => `${line}\n`)
    .join("");
}

function describeConditions(conditions: Conditions): string[] {
  return listConditions(conditions).map((line) =>
    escapeControls(line.replace(/it is not here$/, "$& (--schemas)")),
  );
}

function describeHarm({ change, listed, ...placed }: ShownChange, colour: boolean): string[] {
  const { subject, elsewhere } = placed;
  const where = elsewhere === undefined ? "" : `, in ${elsewhere}`;
  const { rule, message, types } = change;
  const id = `${rule.id} ${rule.name}`;
  const more = types.length > 1 ? ` (and in ${types.slice(1).join(", ")})` : "";
  const head = [
    createPaint(colour)("cyan", id),
    escapeControls(`${subject}${more} ${message}${where}`),
    describeOutcomes(listed),
  ];
  const places = new Set(listed.map(toPlaceLine));
  const details = new Set(listed.flatMap(({ detail = "" }) => detail.split("\n")));
  const fingerprints = new Set(listed.map(({ fingerprint }) => fingerprint));
  const below = [
    ...places,
    ...details,
    `fix: ${rule.fix}`,
    `fingerprint: ${[...fingerprints].join(", ")}`,
  ];
  return [head.join("   "), ...below.map((line) => `    ${line}`)];
}

/** Other changes: harmless, or not selected by the user. */
function describeOthers(shown: readonly ShownChange[], choice: Choice): string[] {
  const others = shown.filter(({ breaks }) => !breaks.some((each) => isChosen(each, choice)));
  if (others.length === 0) return [];
  const lines = others.slice(0, MAX_OTHERS).map(({ change, subject, breaks, placeNew }) => {
    const said = escapeControls(`${subject} ${change.message}`);
    const outcome = breaks.length === 0 ? "harmless" : describeOutcomes(breaks);
    const place = escapeControls(printPlace(placeNew));
    return `  ${change.rule.id} ${change.rule.name}   ${place}   ${said}   ${outcome}`;
  });
  const left = others.length - lines.length;
  const rest = left > 0 ? [`  ... and ${formatCount(left, "more change")} (--format json)`] : [];
  return ["", "Also changed:", ...lines, ...rest];
}

function describeOtherLenses(lenses: VersionComparison["lenses"], choice: Choice): string[] {
  const others = LENSES.filter((lens) => !choice.lenses.includes(lens)).map((lens) => {
    const { backward, forward } = lenses[lens];
    const said = isSource(lens) ? backward : `backward ${backward}, forward ${forward}`;
    return `  --lens ${lens.padEnd(17)}${said}`;
  });
  return others.length === 0 ? [] : ["", "In other compatibility modes:", ...others];
}

/** The stricter mode is named where a change breaks nothing else. */
function describeOutcomes(breaks: readonly Break[]): string {
  const outcomes = breaks.map(({ verdict, lens, direction }) => {
    const isStrict =
      lens === "validate" &&
      !breaks.some((each) => each.lens === "declared-writer" && each.direction === direction);
    const by = isStrict ? " (validate)" : "";
    if (verdict === "compatible") return `${direction}, by itself`;
    if (verdict === "undecided") return `${direction} is undecided${by}`;
    return `breaks ${isSource(lens) ? lens : direction}${by}`;
  });
  return [...new Set(outcomes)].join(", ");
}

function toPlaceLine({ place_old: older, place_new: newer, pointer_new: pointer }: DiffFinding) {
  const [now, was] = [newer, older].map((place) => escapeControls(printPlace(place)));
  return `${now}  ${escapeControls(pointer)}   was ${was}`;
}

function printPlace({ file, line, column }: DiffFinding["place_old"]): string {
  return `${file}:${line}:${column}`;
}

/** The text output for a range of commits: a section for each schema, then a line for all. */
export function describeRange(
  { compared, uncompared, conditions }: ComparedRange,
  looked: number,
  choice: Choice,
  colour: boolean,
): string {
  const count = describeCount(compared, uncompared, looked, choice);
  const paint = createPaint(colour);
  const sections = compared.map((each) => {
    const { versions, comparison } = each;
    const head = `${versions.new.source.name}  (${describeStatus(each)})`;
    const shown = paint("bold", escapeControls(head));
    const body =
      each.status === "added"
        ? ""
        : describeDiff({ ...each, conditions: mergeConditions([]) }, choice, colour);
    return `${shown}\n\n${body}${describeMovers(comparison, versions)}\n`;
  });
  const others = uncompared.map(({ name, message }) => {
    const shown = paint("bold", escapeControls(`${name}  (not compared)`));
    return `${shown}\n\n${escapeControls(message)}\n\n`;
  });
  return `${[...sections, ...others].join("")}${printConditions(conditions)}${count}\n`;
}

/** `changed`, and its former name, or through which files. */
export function describeStatus({
  status = "changed",
  through = [],
  renamedFrom,
}: Pick<ComparedSchema, "status" | "through" | "renamedFrom">): string {
  if (renamedFrom !== undefined) return `${status}, renamed from ${renamedFrom}`;
  const shown = through.slice(0, MAX_THROUGH).join(", ");
  const more = through.length > MAX_THROUGH ? ` and ${through.length - MAX_THROUGH} more` : "";
  return through.length === 0 ? status : `${status} through ${shown}${more}`;
}

/** Maximum number of files that are named. */
const MAX_THROUGH = 3;

function describeCount(
  compared: readonly ComparedSchema[],
  uncompared: readonly UncomparedSchema[],
  looked: number,
  choice: Choice,
): string {
  const others = uncompared.length === 0 ? "" : `; ${uncompared.length} could not be compared`;
  if (compared.length === 0) {
    return `${NO_CHANGE}: ${looked} checked, with the files that they refer to${others}`;
  }
  const broken = compared.filter(({ comparison }) => mayBreak(comparison, choice));
  const verb = broken.length === 1 ? "breaks, or may break" : "break, or may break";
  return `${formatCount(compared.length, "changed schema")}, ${broken.length} of which ${verb}${others}`;
}

export const NO_CHANGE = "no schema changed";

/** The bump, and for a published schema of this package the version that it leads to. */
export function describeNextVersion(compared: ComparedSchema): string {
  const { bump } = compared.comparison;
  const { from, to } = identifySchema(compared);
  return from === undefined || to === undefined || bump === "none"
    ? bump
    : `${bump}: ${from} to ${to}`;
}

/**
 * The required version bump, and for schemas of this package the order in which repositories must move: readers before
 * writers, so that no record is written that cannot be read. Then the upcasters of a new major version.
 */
export function describeMovers(comparison: VersionComparison, versions: LoadedVersions): string {
  const { bump } = comparison;
  const id = readSchemaId(versions.new) ?? readSchemaId(versions.old);
  const entry = id && findRegistered(id);
  const upcasters = describeUpcasters(comparison, versions);
  if (entry === undefined || bump === "none" || bump === "patch") {
    return `bump: ${bump}\n${upcasters}`;
  }
  const { readers, writers } = listMovers(entry);
  const order = [...readers, ...writers];
  const last = order.pop();
  const list = order.length === 0 ? last : `${order.join(", ")}, then ${last}`;
  return `bump: ${bump}.  Repositories to move, in order: ${list}.\n${upcasters}`;
}

/** A type in each version: its name, or the document if that is one type. Undefined in a version that lacks it. */
function toComparedType({ old: older, new: newer, name, oldName }: EntryPair): {
  readonly old: string | undefined;
  readonly new: string | undefined;
} {
  const describe = (location: SchemaLocation | undefined, known: string): string | undefined => {
    if (location === undefined) return undefined;
    return location.pointer === "" ? "the document" : location.pointer.split("/").at(-1) || known;
  };
  return { old: describe(older, oldName), new: describe(newer, name) };
}
