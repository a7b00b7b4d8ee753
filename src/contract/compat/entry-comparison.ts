import { memoize } from "../../base/memoize.js";
import type { Change, Effect, Effects, RecordLens } from "./change.js";
import { closeObjects, intersect } from "./close-objects.js";
import { type Containment, ContainmentCheck, type ContainmentContext } from "./containment.js";
import { type Accepts, type CoveredMember, findCovered } from "./covered.js";
import type { EntryPair } from "./entry-points.js";
import { isValid } from "./evaluator/evaluate.js";
import type { PlacePair, PlaceVisit } from "./places/place.js";
import { rules } from "./rules/index.js";
import type { FoundChange, Rule } from "./rules/rule.js";
import { hasAtom } from "./rules/types.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema/schema-set.js";
import { toEmptyChange, toUnmatchedChange } from "./unmatched.js";

const COMPATIBLE: Containment = { verdict: "compatible" };

const UNPROVEN: Containment = {
  verdict: "undecided",
  because: "no record of the type was found that proves the expected break",
};

/** The schemas of what is written. */
const WRITERS: Readonly<Record<RecordLens | "exactly", (all: SchemaLocation) => SchemaLocation>> = {
  validate: (all) => all,
  // May be more than `all`: where one member of a closed `oneOf` accepts a value, several may while they are open.
  "declared-writer": closeObjects,
  exactly: (all) => intersect(closeObjects(all), all),
};

export interface EntryComparisonOptions {
  /** The matched places of both versions at which something changed. */
  readonly places: Iterable<readonly [PlaceVisit, Findings]>;
  /** Shared by all comparisons of the two versions. */
  readonly context: ContainmentContext;
  /** Comparisons of types that only one version has, by name. */
  readonly loners?: ReadonlyMap<string, EntryComparison>;
}

/** What the rules find at a place, whatever types contain it. */
export interface Findings {
  readonly covered: readonly CoveredMember[];
  readonly found: readonly (readonly [Rule, FoundChange])[];
}

/** Undefined if they find nothing. */
export function findAt(pair: PlacePair, context: ContainmentContext): Findings | undefined {
  const accepts: Accepts = (location, atom) => {
    const isRejected = { kind: "schema", location, holds: false } as const;
    return context.solver.solve(context.coverBudget, hasAtom(atom), isRejected).kind === "none";
  };
  const covered = findCovered(pair, accepts);
  const found = rules.flatMap((rule) => [...rule.find(pair)].map((each) => [rule, each] as const));
  return covered.length + found.length === 0 ? undefined : { covered, found };
}

/** What a change does to the type that was looked at last, by lens and direction. One that breaks a type is kept. */
const effectsOf = memoize((_found: FoundChange) => new Map<string, Effect>());

/** One record type in both versions: its verdicts, and its changes with what each of them breaks. */
export class EntryComparison {
  readonly name: string;
  readonly pair: EntryPair;
  readonly changes: readonly Change[];
  /** What changed in a union that does not show it, and where. */
  readonly covered: (CoveredMember & Pick<Change, "path">)[] = [];
  readonly #context: ContainmentContext;
  readonly #loners: ReadonlyMap<string, EntryComparison>;
  readonly #roots: Readonly<
    Record<Direction, readonly [writer: SchemaLocation, reader: SchemaLocation]>
  >;
  readonly #checks = new Map<string, ContainmentCheck>();
  readonly #wholes = new Map<string, Containment>();

  constructor(pair: EntryPair, { places, context, loners = new Map() }: EntryComparisonOptions) {
    const [older, newer] = [pair.old ?? pair.instead, pair.new ?? pair.instead];
    this.name = pair.name;
    this.pair = pair;
    this.#context = context;
    this.#loners = loners;
    this.#roots = { backward: [older, newer], forward: [newer, older] };
    this.changes = [...this.#findChanges(places)];
  }

  /** Whether both versions have the type. */
  get isMatched(): boolean {
    return this.pair.old !== undefined && this.pair.new !== undefined;
  }

  /** Whether the reader accepts every record that the writer may emit. */
  compare(lens: RecordLens, direction: Direction): Containment {
    const written = direction === "backward" ? this.pair.old : this.pair.new;
    if (written === undefined) return COMPATIBLE;
    const whole = this.#checkWhole(lens, direction);
    if (whole.verdict !== "undecided") return whole;
    const effects = this.changes.map(({ effects }) => effects[lens][direction]);
    const isProof = ({ verdict, at }: Effect) => verdict === "breaking" && at?.type === this.pair;
    return effects.find(isProof) ?? whole;
  }

  /** The verdicts of the type as the effects of one change. */
  toEffects(): Change["effects"] {
    const effects = (lens: RecordLens): Effects => ({
      backward: this.#at([], this.compare(lens, "backward")),
      forward: this.#at([], this.compare(lens, "forward")),
    });
    return { validate: effects("validate"), "declared-writer": effects("declared-writer") };
  }

  /** A change if no record of the new version is valid, whatever led to it. */
  findEmpty(): Change[] {
    const { old: older, new: newer, instead } = this.pair;
    const { classes, solver, changeBudget } = this.#context;
    if (newer === undefined || (older && classes.of(older) === classes.of(newer))) return [];
    if (this.compare("validate", "forward").verdict !== "compatible") return [];
    const valid = { kind: "schema", location: newer, holds: true } as const;
    if (newer.schema === false || solver.solve(changeBudget, valid).kind !== "none") return [];
    const around = { old: older ?? instead, new: newer };
    return [toEmptyChange({ name: this.name, around, effects: this.toEffects() })];
  }

  /**
   * A change for each direction whose verdict no other change of this type explains. For a type that only one version has,
   * that is always so.
   */
  findUnexplained(): Change[] {
    return DIRECTIONS.flatMap((direction) => {
      const written = direction === "backward" ? this.pair.old : this.pair.new;
      if (written === undefined) return [];
      const whole = this.#checkWhole("validate", direction);
      const isExplained = this.changes.some(
        ({ effects }) => effects.validate[direction].verdict === whole.verdict,
      );
      if (whole.verdict === "compatible" || isExplained) return [];
      const [writer, reader] = this.#roots[direction];
      const around =
        direction === "backward" ? { old: writer, new: reader } : { old: reader, new: writer };
      const declared = this.#at([], this.#checkWhole("declared-writer", direction));
      const found = { name: this.name, direction, around, whole: this.#at([], whole), declared };
      return [toUnmatchedChange({ ...found, isMatched: this.isMatched })];
    });
  }

  #at(path: readonly string[], containment: Containment): Effect {
    return { ...containment, at: { type: this.pair, path } };
  }

  /** `part`: the verdict on one change, which decides the whole if it breaks. */
  #checkWhole(lens: RecordLens, direction: Direction, part?: Containment): Containment {
    const key = `${lens} ${direction}`;
    const known = this.#wholes.get(key);
    if (known !== undefined) return known;
    if (part?.verdict === "breaking") {
      this.#wholes.set(key, part);
      return part;
    }
    const ofValidate = lens === "validate" ? undefined : this.#checkWhole("validate", direction);
    const containment = this.#checkBy(lens, direction, ofValidate, (check) => check.check());
    this.#wholes.set(key, containment);
    return containment;
  }

  *#findChanges(places: EntryComparisonOptions["places"]): Generator<Change> {
    for (const [visit, { covered, found }] of places) {
      const { pair, path } = visit;
      this.covered.push(...covered.map((each) => ({ ...each, path })));
      for (const [rule, each] of found) {
        const { violates, ...rest } = each;
        const change = {
          ...rest,
          rule,
          types: [this.name],
          path,
          around: {
            old: pair.old.counterpartOf(rest.new?.location),
            new: pair.new.counterpartOf(rest.old?.location),
          },
          effects: this.#loners.get(rest.member ?? "")?.toEffects() ?? this.#effectsOf(visit, each),
        };
        if (rule.isSuspicion !== true || isBreaking(change)) yield change;
      }
    }
  }

  #effectsOf(visit: PlaceVisit, found: FoundChange): Change["effects"] {
    const validate = this.#lensEffects("validate", visit, found);
    return {
      validate,
      "declared-writer": this.#lensEffects("declared-writer", visit, found, validate),
    };
  }

  /** `ofValidate`: the effects in the mode `validate`, if this is a different mode. */
  #lensEffects(
    lens: RecordLens,
    visit: PlaceVisit,
    found: FoundChange,
    ofValidate?: Effects,
  ): Effects {
    const effect = (direction: Direction): Containment => {
      const violation = found.violates?.[direction];
      if (violation === undefined) return COMPATIBLE;
      const isElsewhere = effectsOf(found).has(`${lens} ${direction}`);
      // The type is asked as a whole sooner or later, and the place by itself once for all types.
      if (isElsewhere) this.#checkWhole(lens, direction);
      if (this.#wholes.get(`${lens} ${direction}`)?.verdict === "compatible") return COMPATIBLE;
      if (isElsewhere && this.#isHarmlessAlone(lens, direction, visit, found)) return COMPATIBLE;
      const containment = this.#checkBy(lens, direction, ofValidate?.[direction], (check) =>
        check.checkWhere(visit.embed(direction, violation), !visit.isConditional),
      );
      if (containment.verdict === "compatible") return containment;
      const whole = this.#checkWhole(lens, direction, containment);
      return whole.verdict === "compatible" ? COMPATIBLE : containment;
    };
    const at = (direction: Direction): Effect => {
      const known = effectsOf(found).get(`${lens} ${direction}`);
      if (known?.verdict === "breaking") return known;
      const own = this.#at(visit.path, effect(direction));
      effectsOf(found).set(`${lens} ${direction}`, own);
      return own;
    };
    return { backward: at("backward"), forward: at("forward") };
  }

  /** Whether no value of the place, read by itself, violates what changed. */
  #isHarmlessAlone(
    lens: RecordLens,
    direction: Direction,
    { pair, isInPlace }: PlaceVisit,
    found: FoundChange,
  ): boolean {
    const violation = found.violates?.[direction];
    // The objects of a schema that applies in place are not closed by itself.
    if (violation === undefined || isInPlace) return false;
    const key = `${lens} ${direction} alone`;
    const [writer, reader] = direction === "backward" ? [pair.old, pair.new] : [pair.new, pair.old];
    const check = (written: SchemaLocation) =>
      new ContainmentCheck(written, reader.anchor, this.#context);
    const decide = (): Effect => {
      const closed = check(WRITERS[lens](writer.anchor));
      const decided = closed.checkWhere(violation, true);
      if (decided.verdict === "breaking" || !closed.writesNothing()) return decided;
      return check(writer.anchor).checkWhere(violation, true);
    };
    const known = effectsOf(found).get(key) ?? decide();
    effectsOf(found).set(key, known);
    return known.verdict === "compatible";
  }

  /**
   * Writers of declared properties write a subset of all records. So if `validate` is compatible, they are
   * too. A witness for `validate` also proves a break for them if they may write it. Of a type that they cannot write at all,
   * nothing would break: all its records count.
   */
  #checkBy(
    lens: RecordLens,
    direction: Direction,
    ofValidate: Containment | undefined,
    run: (check: ContainmentCheck) => Containment,
  ): Containment {
    if (ofValidate?.verdict === "compatible") return ofValidate;
    const check = this.#checkOf(lens, direction);
    if (ofValidate?.verdict === "breaking" && check.mayWrite(ofValidate.witness)) return ofValidate;
    const found = run(check);
    if (ofValidate && found.verdict !== "breaking" && check.writesNothing()) return ofValidate;
    if (this.#isProof(found, direction)) return found;
    const exact = run(this.#checkOf("exactly", direction));
    return this.#isProof(exact, direction) ? exact : UNPROVEN;
  }

  /** Whether a witness is valid to the writer and not to the reader, if there is one. */
  #isProof(found: Containment, direction: Direction): boolean {
    if (found.verdict !== "breaking") return true;
    const [written, read] = this.#roots[direction].map((each) => isValid(each, found.witness));
    return written === true && read === false;
  }

  #checkOf(records: keyof typeof WRITERS, direction: Direction): ContainmentCheck {
    const key = `${records} ${direction}`;
    const [writer, reader] = this.#roots[direction];
    const check =
      this.#checks.get(key) ??
      new ContainmentCheck(WRITERS[records](writer), reader, this.#context);
    this.#checks.set(key, check);
    return check;
  }
}

function isBreaking({ effects }: Pick<Change, "effects">): boolean {
  return DIRECTIONS.some((direction) => effects.validate[direction].verdict === "breaking");
}
