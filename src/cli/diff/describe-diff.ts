import { styleText } from "node:util";
import type { DiffFinding } from "#generated/index.js";
import { LENSES, type Lens } from "../../compat/change.js";
import type { Verdict, Verdicts, VersionComparison } from "../../compat/compare-versions.js";
import type { PlacedChange } from "../../compat/findings.js";
import { SOURCES } from "../../compat/rules/rule.js";
import { DIRECTIONS, type Direction } from "../../compat/schema-set.js";
import type { Report } from "../../reporters/reporter.js";
import { escapeControls, formatCount } from "../../text.js";
import { type Choice, isChosen } from "./choice.js";

const MEANINGS: Readonly<Record<Direction, Readonly<Record<Verdict, string>>>> = {
  backward: {
    compatible: "new readers accept all old data",
    breaking: "new readers reject data that is valid today",
    undecided: "whether new readers accept all old data, nobody could say",
  },
  forward: {
    compatible: "old readers accept all new data",
    breaking: "old readers reject data that is valid after the change",
    undecided: "whether old readers accept all new data, nobody could say",
  },
};

/** Changes that are listed though nobody asked for them. */
const MAX_OTHERS = 10;

/** A change, with all that it breaks, and what of it is listed. */
export interface ShownChange extends PlacedChange {
  readonly found: readonly DiffFinding[];
  readonly listed: readonly DiffFinding[];
}

export interface DescribedDiff {
  readonly comparison: VersionComparison;
  readonly choice: Choice;
  readonly shown: readonly ShownChange[];
  readonly report: Report;
}

/** For people: the verdicts, what breaks with its proofs, what else changed, and what other lenses say. */
export function describeDiff(
  { comparison: { lenses }, choice, shown, report }: DescribedDiff,
  colour: boolean,
): string {
  const harmful = shown.filter(({ listed }) => listed.length > 0);
  const hidden = report.notListed.error;
  return [
    ...choice.lenses.flatMap((lens) => describeVerdicts(lens, lenses[lens])),
    ...harmful.flatMap((change) => ["", ...describeHarm(change, colour)]),
    ...(hidden > 0 ? ["", `... and ${formatCount(hidden, "more finding")}`] : []),
    ...describeOthers(shown, choice),
    ...describeOtherLenses(lenses, choice),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function describeVerdicts(lens: Lens, verdicts: Verdicts): string[] {
  if (isSource(lens)) {
    return [`${lens.padEnd(12)}${verdicts.backward.padEnd(14)}code that uses the old types`];
  }
  const suffix = lens === "validate" ? "" : `  (${lens})`;
  return DIRECTIONS.map((direction) => {
    const verdict = verdicts[direction];
    const said = MEANINGS[direction][verdict];
    return `${direction.padEnd(10)}${verdict.padEnd(14)}${said}${suffix}`;
  });
}

function describeHarm({ change, subject, listed }: ShownChange, colour: boolean): string[] {
  const { rule, message, types } = change;
  const id = `${rule.id} ${rule.name}`;
  const more = types.length > 1 ? ` (and in ${types.slice(1).join(", ")})` : "";
  const head = [
    colour ? styleText("cyan", id, { validateStream: false }) : id,
    escapeControls(`${subject}${more} ${message}`.trim()),
    toOutcomes(listed),
  ];
  const places = new Set(listed.map(toPlaceLine));
  const details = new Set(listed.flatMap(({ detail = "" }) => detail.split("\n")));
  const fingerprints = new Set(listed.map(({ fingerprint }) => fingerprint));
  const below = [
    ...places,
    ...details,
    `mends it: ${rule.mend}`,
    `fingerprint: ${[...fingerprints].join(", ")}`,
  ];
  return [head.join("   "), ...below.map((line) => `    ${line}`)];
}

/** What changed besides: harmless, or of no interest by the user's choice. */
function describeOthers(shown: readonly ShownChange[], choice: Choice): string[] {
  const others = shown.filter(({ found }) => !found.some((each) => isChosen(each, choice)));
  if (others.length === 0) return [];
  const lines = others.slice(0, MAX_OTHERS).map(({ change, subject, found }) => {
    const said = escapeControls(`${subject} ${change.message}`.trim());
    const outcome = found.length === 0 ? "harmless" : toOutcomes(found);
    return `  ${change.rule.id} ${change.rule.name}   ${said}   ${outcome}`;
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
  return others.length === 0 ? [] : ["", "By other meanings of a break:", ...others];
}

function toOutcomes(findings: readonly DiffFinding[]): string {
  const outcomes = findings.map(({ verdict, lens, direction }) => {
    if (verdict === "undecided") return `${direction} is undecided`;
    return `breaks ${isSource(lens) ? lens : direction}`;
  });
  return [...new Set(outcomes)].join(", ");
}

function toPlaceLine({ place_old: older, place_new: newer, pointer_new: pointer }: DiffFinding) {
  const show = ({ file, line, column }: DiffFinding["place_old"]): string =>
    escapeControls(`${file}:${line}:${column}`);
  return `${show(newer)}  ${escapeControls(pointer)}   was ${show(older)}`;
}

function isSource(lens: Lens): boolean {
  return SOURCES.some((source) => source === lens);
}
