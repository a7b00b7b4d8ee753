import { describeError } from "../json/schema-error.js";
import type { BrokenKeyword } from "./ajv.js";
import type { Change, Effects, RecordLens } from "./change.js";
import { closeObjects } from "./close-objects.js";
import { Comparer, type Comparison, type Search } from "./containment.js";
import type { EntryPair } from "./entry-points.js";
import type { PlacePair } from "./places/place.js";
import { rules } from "./rules/index.js";
import type { FoundChange, Mentioned, Rule } from "./rules/rule.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema-set.js";
import { judgeOf } from "./validators.js";

/** What is left when no change at a place that both versions speak of explains a verdict. */
export const unmatched: Rule = {
  id: "U1",
  name: "elsewhere",
  summary: "Something changed at a place that has no counterpart in the other version.",
  mend: "see the record, or what could not be decided",
  find: () => [],
};

export function toUnmatchedChange(found: {
  readonly name: string;
  readonly direction: Direction;
  readonly around: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  readonly whole: Comparison;
  readonly declared: Comparison;
}): Change {
  const { name, direction, around, whole, declared } = found;
  const only = (comparison: Comparison): Effects => ({
    backward: { verdict: "compatible" },
    forward: { verdict: "compatible" },
    [direction]: comparison,
  });
  const side = direction === "backward" ? "new" : "old";
  const [broken] =
    whole.verdict === "breaking" ? judgeOf(around[side]).errorsOf(whole.witness) : [];
  return {
    rule: unmatched,
    types: [name],
    path: [],
    around,
    [side]: toMentioned(broken),
    message: describe(whole, broken),
    effects: { validate: only(whole), "declared-writer": only(declared) },
  };
}

function toMentioned(broken: BrokenKeyword | undefined): Mentioned | undefined {
  const { location, keyword = "" } = broken ?? {};
  if (location === undefined || typeof location.schema === "boolean") return undefined;
  return { location: { ...location, schema: location.schema }, keyword };
}

function describe(comparison: Comparison, broken: BrokenKeyword | undefined): string {
  if (comparison.verdict === "compatible") return "is compatible";
  if (comparison.verdict === "undecided") return comparison.because;
  if (broken === undefined) return "is rejected";
  return `${broken.pointer} ${describeError(broken, comparison.witness)}`.trim();
}

const COMPATIBLE: Comparison = { verdict: "compatible" };

export interface ComparedEntryOptions {
  /** The documents: what one version does not know may still be valid as another type. */
  readonly documents: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  /** What both versions say of the type, place by place. */
  readonly places: Iterable<PlacePair>;
  /** Of the two versions. */
  readonly search: Search;
  /** Types that only one version has, by name: what becomes of them is known. */
  readonly loners?: ReadonlyMap<string, ComparedEntry>;
}

/** A record type in both versions: its verdicts, and its changes with what each of them breaks. */
export class ComparedEntry {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly #pair: EntryPair;
  readonly #search: Search;
  readonly #loners: ReadonlyMap<string, ComparedEntry>;
  readonly #roots: Readonly<
    Record<Direction, readonly [writer: SchemaLocation, reader: SchemaLocation]>
  >;
  readonly #comparers = new Map<string, Comparer>();
  readonly #wholes = new Map<string, Comparison>();

  constructor(
    pair: EntryPair,
    { documents, places, search, loners = new Map() }: ComparedEntryOptions,
  ) {
    const [older, newer] = [pair.old ?? documents.old, pair.new ?? documents.new];
    this.name = pair.name;
    this.#pair = pair;
    this.#search = search;
    this.#loners = loners;
    this.#roots = { backward: [older, newer], forward: [newer, older] };
    this.changes = [...this.#findChanges(places)];
  }

  /** Whether both versions have it. */
  get isMatched(): boolean {
    return this.#pair.old !== undefined && this.#pair.new !== undefined;
  }

  /** Whether the reader accepts all that the writer may emit. */
  compare(lens: RecordLens, direction: Direction): Comparison {
    const isWritten = direction === "backward" ? this.#pair.old : this.#pair.new;
    if (isWritten === undefined) return COMPATIBLE;
    const whole = this.#compareWhole(lens, direction);
    if (whole.verdict !== "undecided") return whole;
    const effects = this.changes.map(({ effects }) => effects[lens][direction]);
    return effects.find(({ verdict }) => verdict === "breaking") ?? whole;
  }

  /** What becomes of its records, in every lens and direction. */
  toEffects(): Change["effects"] {
    const effects = (lens: RecordLens): Effects => ({
      backward: this.compare(lens, "backward"),
      forward: this.compare(lens, "forward"),
    });
    return { validate: effects("validate"), "declared-writer": effects("declared-writer") };
  }

  /** What breaks though no change explains it, as where a place has no counterpart. */
  findUnexplained(): Change[] {
    if (!this.isMatched) return [];
    return DIRECTIONS.flatMap((direction) => {
      const whole = this.#compareWhole("validate", direction);
      const isExplained = this.changes.some(
        ({ effects }) => effects.validate[direction].verdict === whole.verdict,
      );
      if (whole.verdict === "compatible" || isExplained) return [];
      const [writer, reader] = this.#roots[direction];
      const around =
        direction === "backward" ? { old: writer, new: reader } : { old: reader, new: writer };
      const declared = this.#compareWhole("declared-writer", direction);
      return [toUnmatchedChange({ name: this.name, direction, around, whole, declared })];
    });
  }

  /** `part`: what is known of a part of it. */
  #compareWhole(lens: RecordLens, direction: Direction, part?: Comparison): Comparison {
    const key = `${lens} ${direction}`;
    const known = this.#wholes.get(key);
    if (known !== undefined) return known;
    if (part?.verdict === "breaking") {
      this.#wholes.set(key, part);
      return part;
    }
    const ofValidate = lens === "validate" ? undefined : this.#compareWhole("validate", direction);
    const comparison = this.#compareBy(lens, direction, ofValidate, (comparer) =>
      comparer.compare(),
    );
    this.#wholes.set(key, comparison);
    return comparison;
  }

  *#findChanges(places: Iterable<PlacePair>): Generator<Change> {
    for (const pair of places) {
      for (const rule of rules) {
        for (const { violates = {}, ...found } of rule.find(pair)) {
          const change = {
            ...found,
            rule,
            types: [this.name],
            path: pair.path,
            around: {
              old: pair.old.counterpartOf(found.new?.location),
              new: pair.new.counterpartOf(found.old?.location),
            },
            effects:
              this.#loners.get(found.member ?? "")?.toEffects() ?? this.#effectsOf(pair, violates),
          };
          if (rule.isSuspicion !== true || isBreaking(change)) yield change;
        }
      }
    }
  }

  #effectsOf(pair: PlacePair, violates: NonNullable<FoundChange["violates"]>): Change["effects"] {
    const validate = this.#lensEffects("validate", pair, violates);
    return {
      validate,
      "declared-writer": this.#lensEffects("declared-writer", pair, violates, validate),
    };
  }

  /** `ofValidate`: the effects in that lens, where this is another. */
  #lensEffects(
    lens: RecordLens,
    pair: PlacePair,
    violates: NonNullable<FoundChange["violates"]>,
    ofValidate?: Effects,
  ): Effects {
    const effect = (direction: Direction): Comparison => {
      const violation = violates[direction];
      if (violation === undefined) return COMPATIBLE;
      if (this.#wholes.get(`${lens} ${direction}`)?.verdict === "compatible") return COMPATIBLE;
      const comparison = this.#compareBy(lens, direction, ofValidate?.[direction], (comparer) =>
        comparer.compareWhere(pair.embed(direction, violation), !pair.isConditional),
      );
      if (comparison.verdict === "compatible") return comparison;
      const whole = this.#compareWhole(lens, direction, comparison);
      return whole.verdict === "compatible" ? COMPATIBLE : comparison;
    };
    return { backward: effect("backward"), forward: effect("forward") };
  }

  /**
   * Declared writers write nothing that others do not: where the lens `validate` is compatible, so are they, and its
   * record is their own proof if they may write it.
   */
  #compareBy(
    lens: RecordLens,
    direction: Direction,
    ofValidate: Comparison | undefined,
    compare: (comparer: Comparer) => Comparison,
  ): Comparison {
    if (ofValidate?.verdict === "compatible") return ofValidate;
    const comparer = this.#comparerOf(lens, direction);
    const isProof = ofValidate?.verdict === "breaking" && comparer.mayWrite(ofValidate.witness);
    return isProof ? ofValidate : compare(comparer);
  }

  #comparerOf(lens: RecordLens, direction: Direction): Comparer {
    const key = `${lens} ${direction}`;
    const [writer, reader] = this.#roots[direction];
    const comparer =
      this.#comparers.get(key) ??
      new Comparer(lens === "validate" ? writer : closeObjects(writer), reader, this.#search);
    this.#comparers.set(key, comparer);
    return comparer;
  }
}

function isBreaking({ effects }: Pick<Change, "effects">): boolean {
  return DIRECTIONS.some((direction) => effects.validate[direction].verdict === "breaking");
}
