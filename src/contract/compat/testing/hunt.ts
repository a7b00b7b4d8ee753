import { validatorOf } from "../ajv/ajv.js";
import { RECORD_LENSES } from "../change.js";
import { compareVersions, DIRECTIONS, type Direction, type Verdict } from "../compare-versions.js";
import { type DocumentKind, kindOf } from "../entry-points.js";
import { loadVersion } from "../load-version.js";
import { toOriginalPointer } from "../schema/dialects.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import { type Answer, askJudge, askSolver, type Question, type VersionFiles } from "./judge.js";
import { type LayoutVersion, layOut } from "./lay-out.js";
import { createRandom, mutateValue, pick, sampleValue } from "./sample-values.js";

/** A verdict of `diff` on one direction, and the values that could refute it. */
export interface Claim {
  /** Number of the pair. */
  readonly pair: number;
  readonly direction: Direction;
  /** The type, or "" for the whole document. */
  readonly name: string;
  readonly verdict: Exclude<Verdict, "undecided">;
  /** The two sides of a question: the values that the writer may write, and what the reader says. */
  readonly writer: Question;
  readonly reader: Question;
}

/** A claim that the judge refutes, or that it cannot judge. */
export interface Fault {
  readonly claim: Claim;
  readonly problem: string;
  readonly value: unknown;
}

export interface Comparison {
  readonly claims: readonly Claim[];
  readonly verdicts: Readonly<Record<Direction, Verdict>>;
  readonly kinds: readonly [DocumentKind, DocumentKind];
  readonly versions: readonly [VersionFiles, VersionFiles];
}

/** Number of values per claim that Ajv accepts for the writer, and of others: the judge may accept those, too. */
const WRITTEN = 110;
const OTHERS = 30;

/** Number of values made to find them. Some schemas accept only a few. */
const SAMPLES = 500;

function load({ path, files, fragment }: VersionFiles) {
  const texts = new Map([...files].map(([name, file]) => [name, JSON.stringify(file)]));
  const source = {
    name: path,
    text: texts.get(path) ?? "",
    others: [],
    files: {
      path,
      roots: [],
      read: (name: string) => texts.get(name),
    },
    fragment,
  };
  return loadVersion(source, "annotate", { toleratesFaults: true });
}

/** Compares two versions as `diff` does. `pool`: values to try; the witnesses found are added. */
export function compareLayouts(
  pair: number,
  [first, second]: readonly [LayoutVersion, LayoutVersion],
  pool: unknown[],
): Comparison {
  const sides = { old: first, new: second };
  const files = { old: layOut(first), new: layOut(second) };
  const loaded = { old: load(files.old), new: load(files.new) };
  const comparison = compareVersions(loaded.old.root, loaded.new.root);
  const random = createRandom(pair);
  const question = (side: "old" | "new", at: SchemaLocation, values: unknown[]): Question => {
    const isNothing = at.schema === false && at.uri === "rollout-wire:nothing";
    const pointer = toOriginalPointer(loaded[side].document.schema, at.pointer);
    return { version: files[side], pointer: isNothing ? undefined : pointer, values };
  };
  const valuesFor = (
    name: string,
    [at, other]: readonly [SchemaLocation, SchemaLocation],
    [writer, reader]: readonly ["old" | "new", "old" | "new"],
  ): unknown[] => {
    const { isValid } = validatorOf(at);
    const { isValid: isRead } = validatorOf(other);
    const starts = (side: "old" | "new"): unknown[] => {
      const { types } = sides[side];
      return Object.hasOwn(types, name) ? [types[name]] : Object.values(types);
    };
    // By JSON text, so that each is asked once.
    const written = new Map<string, unknown>();
    const others = new Map<string, unknown>();
    for (let count = 0; count < SAMPLES && written.size < WRITTEN; count += 1) {
      const side = count % 3 === 2 ? reader : writer;
      const known = sampleValue(pick(starts(side), random), sides[side].types, random);
      const value = random() < 0.1 ? pick(pool, random) : known;
      const changed = (random() < 0.35 ? mutateValue(value, random) : value) ?? null;
      const text = JSON.stringify(changed);
      // A schema that refers to itself for the same value, as in `not`, has no meaning for it.
      const isDefined = isValid(changed) !== undefined && isRead(changed) !== undefined;
      if (!isDefined && other.schema !== false) continue;
      if (isValid(changed) === true) written.set(text, changed);
      else if (others.size < OTHERS) others.set(text, changed);
    }
    return [...written.values(), ...others.values()];
  };
  const claims: Claim[] = [];
  // What is compatible is so under a condition: a file that only its `$id` names was not found.
  const isConditional = loaded.old.holes.length + loaded.new.holes.length > 0;
  for (const direction of DIRECTIONS) {
    const [writer, reader] =
      direction === "backward" ? (["old", "new"] as const) : (["new", "old"] as const);
    for (const entry of comparison.decisive) {
      const { [direction]: result, pair: compared } = entry;
      const { [writer]: written } = compared;
      if (written === undefined || result.verdict === "undecided") continue;
      if (isConditional && result.verdict === "compatible") continue;
      const name = writer === "old" ? compared.oldName : compared.name;
      const isProof = result.verdict === "breaking";
      const read = compared[reader] ?? compared.instead;
      const values = isProof
        ? [result.witness]
        : valuesFor(name, [written, read], [writer, reader]);
      if (isProof) pool.push(result.witness);
      claims.push({
        ...{ pair, direction, name, verdict: result.verdict },
        writer: question(writer, written, values),
        reader: question(reader, read, values),
      });
    }
    for (const effect of comparison.changes.flatMap(({ effects }) =>
      RECORD_LENSES.map((lens) => effects[lens][direction]),
    )) {
      if (effect.verdict !== "breaking") continue;
      const { type } = effect.at ?? {};
      if (type?.[writer] === undefined) throw new Error("a witness of no type");
      claims.push({
        ...{ pair, direction, name: type.name, verdict: "breaking" },
        writer: question(writer, type[writer], [effect.witness]),
        reader: question(reader, type[reader] ?? type.instead, [effect.witness]),
      });
    }
    // Whatever the types are: a record of the old document must be one of the new, unless it only holds definitions.
    const roots = [loaded[writer].root, loaded[reader].root] as const;
    if (
      isConditional ||
      comparison[direction] !== "compatible" ||
      roots.map(kindOf).includes("collection")
    )
      continue;
    const values = valuesFor("", roots, [writer, reader]);
    claims.push({
      ...{ pair, direction, name: "document", verdict: "compatible" },
      writer: question(writer, roots[0], values),
      reader: question(reader, roots[1], values),
    });
  }
  return {
    claims,
    verdicts: { backward: comparison.backward, forward: comparison.forward },
    kinds: [kindOf(loaded.old.root), kindOf(loaded.new.root)],
    versions: [files.old, files.new],
  };
}

export interface Judgement {
  readonly faults: readonly Fault[];
  /** Values that the judge was asked about, and those that the writer may write. */
  readonly values: number;
  readonly written: number;
}

/** Has the judge try to refute all claims. */
export function judgeClaims(claims: readonly Claim[]): Judgement {
  const answers = askJudge(claims.flatMap(({ writer, reader }) => [writer, reader]));
  const judged = claims.map((claim, index) => ({
    claim,
    written: answers[2 * index] ?? "no answer",
    read: answers[2 * index + 1] ?? "no answer",
  }));
  return {
    faults: judged.flatMap(({ claim, written, read }) => findFault(claim, written, read) ?? []),
    values: claims.reduce((sum, { writer }) => sum + writer.values.length, 0),
    written: judged.reduce((sum, { written }) => sum + countTrue(written), 0),
  };
}

/** Has another solver decide the types' claims. Returns how many it decided, and those on which it disagrees. */
export function consultSolver(claims: readonly Claim[]): {
  readonly decided: number;
  readonly faults: readonly Fault[];
} {
  const keyOf = ({ pair, direction, name }: Claim): string => `${pair} ${direction} ${name}`;
  const asked = [...new Map(claims.map((claim) => [keyOf(claim), claim])).values()];
  const answers = askSolver(asked.map(({ writer, reader }) => [writer, reader]));
  const faults = asked.flatMap((claim, index): Fault[] => {
    const isCovered = answers[index] ?? claim.verdict === "compatible";
    if (isCovered === (claim.verdict === "compatible")) return [];
    const problem = `another solver says ${isCovered ? "compatible" : "breaking"}`;
    return [{ claim, problem, value: claim.writer.values[0] }];
  });
  return { decided: answers.filter((answer) => answer !== undefined).length, faults };
}

function countTrue(answer: Answer): number {
  return typeof answer === "string" ? 0 : answer.filter(Boolean).length;
}

function findFault(claim: Claim, written: Answer, read: Answer): Fault | undefined {
  const refused = [written, read].find((answer) => typeof answer === "string");
  if (typeof refused === "string") return { claim, problem: refused, value: undefined };
  const { values } = claim.writer;
  const index = values.findIndex((_, at) => written[at] === true && read[at] === false);
  const isBreak = index >= 0;
  if (isBreak === (claim.verdict === "breaking")) return undefined;
  const problem = isBreak ? "a value refutes `compatible`" : "the witness proves no break";
  return { claim, problem, value: values[Math.max(0, index)] };
}

/** For messages: what a person needs to see the fault. */
export function describeFault({ claim, problem, value }: Fault): string {
  const { pair, direction, name, writer, reader } = claim;
  const side = ({ version, pointer }: Question): unknown => ({
    pointer,
    ...version,
    files: Object.fromEntries(version.files),
  });
  const parts = { value, writer: side(writer), reader: side(reader) };
  return `pair ${pair}, ${direction}, ${name || "whole"}: ${problem}\n${JSON.stringify(parts)}`;
}
