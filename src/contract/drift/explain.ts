import { sha256 } from "../../base/files/hash.js";
import { locateInText } from "../../base/findings/finding.js";
import { resolvePointer } from "../../base/json/pointer.js";
import { tryParseJson } from "../../base/json/value.js";
import { escapeControls } from "../../base/text.js";
import { placeChanges, printWitness } from "../compat/findings.js";
import { DIRECTIONS } from "../compat/schema/schema-set.js";
import type { Canonical } from "./canonical.js";
import type { Holder } from "./holder.js";
import { RecordTypes } from "./records/record-types.js";
import { judgeRecords, type ReplayedHolder } from "./records/replay.js";
import { type ComparedPart, compareFork } from "./scan/compare-fork.js";
import type { Fork } from "./scan/find-likeness.js";
import { scanHolder, toReplayed } from "./scan-holder.js";

/** Longest part of a schema that is shown, in characters. */
const MAX_SHOWN = 100;

/**
 * Explains a file, or with `:<line>` the record of a line, as findings name them. Undefined if nothing there differs.
 */
export function explainPlace(
  named: string,
  holders: readonly Holder[],
  canonical: Canonical,
): string[] | undefined {
  const context = { canonical, types: new RecordTypes(canonical) };
  const repositories = holders.map((holder) => toReplayed(holder, scanHolder(holder, context)));
  const [, file = named, line] = /^(.+?):(\d+)(?::\d+)?$/s.exec(named) ?? [];
  for (const { holder, forks } of repositories) {
    const path = holder.tree.pathOf(file);
    const fork = forks.find((each) => each.path === path) ?? toCopy(path, holder);
    const explained =
      (fork && explainFork(fork, holder, context)) ??
      explainRecord({ path, line: Number(line ?? 1) }, holder, repositories, context);
    if (explained !== undefined) return explained;
  }
  return undefined;
}

/** A registered copy that differs is explained like a fork. */
function toCopy(path: string, { tree, artefacts }: Holder): Fork | undefined {
  const artefact = artefacts.find((each) => each.kind === "schema" && each.path === path);
  const bytes = artefact && tree.read(path);
  if (artefact === undefined || bytes === undefined) return undefined;
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const likeness = { whole: 1, part: undefined };
  return { path, text, hash: sha256(bytes), schema: artefact.schema, by: "name", likeness };
}

interface ExplainContext {
  readonly canonical: Canonical;
  readonly types: RecordTypes;
}

/**
 * What differs between a schema in a repository and its original, line by line on both sides, and what to do. Undefined
 * if the file contains a schema only in a text, such as a program.
 */
function explainFork(
  fork: Fork,
  { tree }: Holder,
  { canonical }: ExplainContext,
): string[] | undefined {
  const compared = compareFork(fork, { tree, canonical });
  const original = canonical.version(fork.schema, compared?.version ?? "");
  if (compared === undefined || original === undefined) return undefined;
  const owner = canonical.registry.schemas.find(({ name }) => name === fork.schema)?.owner;
  const sides: Sides = {
    here: { file: tree.nameOf(fork.path), text: fork.text },
    there: { file: `${original.file} of ${canonical.name}`, text: original.text },
  };
  const changes = compared.parts.flatMap((part) => describePart(part, sides));
  const head = `${sides.here.file}: compared with ${compared.original}, it ${compared.outcome}`;
  if (changes.length === 0) return [head];
  return [
    head,
    ...changes,
    "",
    `to accept the same records: make each place "here" say what stands "there"`,
    `to keep what only it says: propose that to ${owner || canonical.name}, the owner of ${fork.schema}`,
  ].map(escapeControls);
}

interface Side {
  /** As for messages. */
  readonly file: string;
  readonly text: string;
}

interface Sides {
  readonly here: Side;
  readonly there: Side;
}

/** `parts` compares the original, as the old version, with the copy. */
function describePart({ comparison, versions }: ComparedPart, { here, there }: Sides): string[] {
  return placeChanges(comparison.changes, versions).flatMap((placed) => {
    const { change, subject, pointerNew, pointerOld } = placed;
    const { validate } = change.effects;
    const effects = DIRECTIONS.flatMap((direction) => {
      const effect = validate[direction];
      if (effect.verdict !== "breaking") return [];
      const verb = direction === "backward" ? "rejected" : "accepted";
      return [`    ${verb} only here:  ${printWitness(effect.witness)}`];
    });
    if (DIRECTIONS.every((direction) => validate[direction].verdict === "compatible")) return [];
    return [
      "",
      `  ${subject} ${change.message}  (${change.rule.name})`,
      `    here   ${describePlace(here, pointerNew)}`,
      `    there  ${describePlace(there, pointerOld)}`,
      ...effects,
    ];
  });
}

function describePlace({ file, text }: Side, pointer: string): string {
  const { line, column } = locateInText(text, pointer);
  const value = resolvePointer(tryParseJson(text), pointer);
  const shown = value === undefined ? "(not there)" : JSON.stringify(value);
  const short = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  return `${file}:${line}:${column}  ${pointer || "(whole)"}  ${short}`;
}

/** Which schemas accept the record of a line, which reject it, and where. Undefined if there is no such record. */
function explainRecord(
  { path, line }: { readonly path: string; readonly line: number },
  holder: Holder,
  repositories: readonly ReplayedHolder[],
  context: ExplainContext,
): string[] | undefined {
  const own = repositories.find((each) => each.holder === holder);
  const fixture = own?.fixtures.find((each) => each.path === path);
  const judged = fixture && judgeRecords(holder, fixture, line, repositories, context);
  if (judged === undefined) return undefined;
  const { type, verdicts } = judged;
  const file = holder.tree.nameOf(path);
  return [
    `${file}:${line}: ${type === undefined ? "a record of no known type" : `a ${type}`}`,
    ...verdicts.flatMap(({ schema, isValid, error }) => {
      if (isValid !== false) {
        return [`  ${isValid ? "accepted" : "undecided"} by ${schema.name}`];
      }
      const broken = error();
      if (broken === undefined) return [`  rejected by ${schema.name}`];
      const { pointer, message } = broken;
      return [
        `  rejected by ${schema.name}`,
        `    ${pointer || "(record)"}  ${message}`,
        `    here   ${file}:${line}  change the record, or`,
        `    there  ${schema.placeOf(broken)}  change the schema`,
      ];
    }),
  ].map(escapeControls);
}
