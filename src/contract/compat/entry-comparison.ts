import type { Change, Effect, Effects, RecordLens } from "./change.js";
import { closeObjects, intersect } from "./close-objects.js";
import { type Containment, ContainmentCheck, type ContainmentContext } from "./containment.js";
import { type Accepts, type CoveredMember, findCovered } from "./covered.js";
import type { EntryPair } from "./entry-points.js";
import { isValid } from "./evaluator/evaluate.js";
import type { PlacePair } from "./places/place.js";
import { rules } from "./rules/index.js";
import type { FoundChange } from "./rules/rule.js";
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
  /** The matched places of both versions. */
  readonly places: Iterable<PlacePair>;
  /** Shared by all comparisons of the two versions. */
  readonly context: ContainmentContext;
  /** Comparisons of types that only one version has, by name. */
  readonly loners?: ReadonlyMap<string, EntryComparison>;
}

/** One record type in both versions: its verdicts, and its changes with what each of them breaks. */
export class EntryComparison {
  readonly name: string;
  readonly pair: EntryPair;
  readonly changes: readonly Change[];
  /** What changed in a union that does not show it. */
  readonly covered: CoveredMember[] = [];
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
    return effects.find(({ verdict }) => verdict === "breaking") ?? whole;
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

  *#findChanges(places: Iterable<PlacePair>): Generator<Change> {
    for (const pair of places) {
      this.covered.push(...findCovered(pair, this.#accepts));
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

  readonly #accepts: Accepts = (location, atom) => {
    const { solver, coverBudget } = this.#context;
    const isRejected = { kind: "schema", location, holds: false } as const;
    return solver.solve(coverBudget, hasAtom(atom), isRejected).kind === "none";
  };

  #effectsOf(pair: PlacePair, violates: NonNullable<FoundChange["violates"]>): Change["effects"] {
    const validate = this.#lensEffects("validate", pair, violates);
    return {
      validate,
      "declared-writer": this.#lensEffects("declared-writer", pair, violates, validate),
    };
  }

  /** `ofValidate`: the effects in the mode `validate`, if this is a different mode. */
  #lensEffects(
    lens: RecordLens,
    pair: PlacePair,
    violates: NonNullable<FoundChange["violates"]>,
    ofValidate?: Effects,
  ): Effects {
    const effect = (direction: Direction): Containment => {
      const violation = violates[direction];
      if (violation === undefined) return COMPATIBLE;
      if (this.#wholes.get(`${lens} ${direction}`)?.verdict === "compatible") return COMPATIBLE;
      const containment = this.#checkBy(lens, direction, ofValidate?.[direction], (check) =>
        check.checkWhere(pair.embed(direction, violation), !pair.isConditional),
      );
      if (containment.verdict === "compatible") return containment;
      const whole = this.#checkWhole(lens, direction, containment);
      return whole.verdict === "compatible" ? COMPATIBLE : containment;
    };
    const at = (direction: Direction): Effect => this.#at(pair.path, effect(direction));
    return { backward: at("backward"), forward: at("forward") };
  }

  /**
   * Writers of declared properties write a subset of all records. So if `validate` is compatible, they are
   * too. A witness for `validate` also proves a break for them if they may write it.
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
