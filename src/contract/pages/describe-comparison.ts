import type { DiffFinding } from "#generated/index.js";
import { isSource, LENSES, type Lens, RECORD_LENSES } from "../compat/change.js";
import { type ChangedSchema, printFirstEntry } from "../compat/changelog-entry.js";
import type { VersionComparison } from "../compat/compare-versions.js";
import { pairEntryPoints } from "../compat/entry-points.js";
import {
  findBreaks,
  findNotes,
  type LoadedVersions,
  type PlacedChange,
  toDiffFinding,
} from "../compat/findings.js";
import type { LoadedVersion } from "../compat/load-version.js";
import type {
  ChangeProof,
  LensVerdicts,
  ReportedChange,
  SchemaComparison,
} from "./contract-data.js";

/** What is compared, and what was found. */
export interface Compared {
  /** See `SchemaComparison`. */
  readonly id: string;
  readonly subject: ChangedSchema;
  readonly status: SchemaComparison["status"];
  readonly versions: LoadedVersions;
  readonly comparison: VersionComparison;
  /** The changes to be shown. */
  readonly changes: readonly PlacedChange[];
  /** The changelog entry; "" if nothing changed. */
  readonly entry: string;
}

/** Describes what changed between two versions of a schema, with all proofs. */
export function describeComparison(compared: Compared): SchemaComparison {
  const { id, subject, status, versions, comparison, changes, entry } = compared;
  const { name: schema, from, to } = subject;
  return {
    ...{ id, schema, from, to, status },
    old: versions.old.source.name,
    new: versions.new.source.name,
    bump: comparison.bump,
    entry,
    verdicts: LENSES.map((lens) => toVerdicts(lens, comparison.lenses[lens])),
    changes: changes.map((placed) => describeChange(placed, versions)),
  };
}

/** The first version of a schema, which changed nothing. */
export function describeFirst(name: string, to: string, version: LoadedVersion): SchemaComparison {
  const types = pairEntryPoints(version.root, version.root).map((pair) => pair.name);
  return {
    ...{ id: `${name}/${to}`, schema: name, from: undefined, to, status: "added", bump: "new" },
    old: version.source.name,
    new: version.source.name,
    entry: printFirstEntry({ name, from: undefined, to }, types),
    verdicts: [],
    changes: [],
  };
}

function toVerdicts(
  lens: Lens,
  { backward, forward }: { readonly backward: string; readonly forward: string },
): LensVerdicts {
  return { lens, backward, forward: isSource(lens) ? undefined : forward };
}

function describeChange(placed: PlacedChange, versions: LoadedVersions): ReportedChange {
  const { change, subject, elsewhere } = placed;
  const { rule, message, types, effects, breaksSource } = change;
  const records = RECORD_LENSES.map((lens) =>
    toVerdicts(lens, {
      backward: effects[lens].backward.verdict,
      forward: effects[lens].forward.verdict,
    }),
  );
  const sources = LENSES.filter(isSource).map((lens) => ({
    lens,
    backward: breaksSource?.[lens] === undefined ? "compatible" : "breaking",
    forward: undefined,
  }));
  return {
    rule: rule.id,
    name: rule.name,
    subject,
    others: types.slice(1),
    message: elsewhere === undefined ? message : `${message}, in ${elsewhere}`,
    places: {
      old: printPlace(placed.placeOld, placed.pointerOld),
      new: printPlace(placed.placeNew, placed.pointerNew),
    },
    verdicts: [...records, ...sources],
    proofs: listProofs(placed, versions),
    fix: rule.fix,
  };
}

function printPlace({ file, line, column }: DiffFinding["place_old"], pointer: string): string {
  return [`${file}:${line}:${column}`, pointer].join(" ").trimEnd();
}

/** Each proof once, with everything that it proves. */
function listProofs(placed: PlacedChange, versions: LoadedVersions): ChangeProof[] {
  const proofs = new Map<string, ChangeProof>();
  for (const found of [...findBreaks(placed.change), ...findNotes(placed.change)]) {
    const { lens, direction, verdict } = found;
    const finding = toDiffFinding(placed, found, versions);
    const [said = ""] = finding.detail?.split("\n") ?? [];
    const claim = said.startsWith(`${lens}: `) ? said.slice(lens.length + 2) : said;
    const witness =
      "witness" in finding ? JSON.stringify(finding.witness, undefined, 2) : undefined;
    const key = JSON.stringify([claim, witness]);
    const breaks = [
      ...(proofs.get(key)?.breaks ?? []),
      isSource(lens)
        ? lens
        : `${direction} (${lens}${verdict === "compatible" ? ", by itself" : ""})`,
    ];
    proofs.set(key, { breaks, claim, witness });
  }
  return [...proofs.values()];
}
