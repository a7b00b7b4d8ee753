import { type Change, type Effects, RECORD_LENSES, type RecordLens } from "./change.js";
import type { ContainmentContext } from "./containment.js";
import { EntryComparison } from "./entry-comparison.js";
import { type EntryPair, pairUnused } from "./entry-points.js";
import { DIRECTIONS, type SchemaLocation } from "./schema/schema-set.js";
import { reachedFrom, referencesOf } from "./schema/walks.js";
import { covered, unused } from "./unmatched.js";

type ByItself = NonNullable<Change["byItself"]>;

/** The changes that break something by themselves, though no verdict shows it: the schema accepts more than they do. */
export class HiddenChanges {
  readonly #entries: readonly EntryComparison[];
  readonly #context: ContainmentContext;
  readonly #known = new Map<string, ByItself | undefined>();
  /** The types that differ, and were compared, whether they break anything or not. */
  readonly compared: EntryPair[] = [];

  constructor(compared: readonly EntryComparison[], context: ContainmentContext) {
    this.#entries = compared;
    this.#context = context;
    for (const { pair } of compared) this.#known.set(keyOf(pair), undefined);
  }

  /** Members of unions that other members cover. */
  findCovered(): Change[] {
    return this.#entries.flatMap((entry) =>
      entry.covered.flatMap((found) => {
        const byItself = this.#compare(found.type);
        return byItself === undefined ? [] : [toCoveredChange(entry.name, found, byItself)];
      }),
    );
  }

  /** Definitions that no record reaches. */
  findUnused(oldRoot: SchemaLocation, newRoot: SchemaLocation): Change[] {
    const pairs = pairUnused(oldRoot, newRoot);
    const referred = referredFrom(pairs.flatMap((each) => each.new ?? []));
    return pairs.flatMap((type) => {
      const { name, old: older, new: newer } = type;
      const byItself = this.#compare(type);
      if (older === undefined || newer === undefined || byItself === undefined) return [];
      const who = referred.has(newer.schema)
        ? "only unused definitions refer"
        : "nothing here refers";
      const message = `changed, and ${who} to it; by itself it ${verbOf(byItself)}`;
      const around = { old: older, new: newer };
      return [{ rule: unused, types: [name], path: [], message, effects: NONE, byItself, around }];
    });
  }

  /** Undefined if the type breaks nothing, or is compared anyway. */
  #compare(type: EntryPair): ByItself | undefined {
    const key = keyOf(type);
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    if (this.#isSame(type)) return undefined;
    this.compared.push(type);
    const context = this.#context;
    const effects = new EntryComparison(type, { places: [], context }).toEffects();
    if (listVerdicts(effects).every((verdict) => verdict === "compatible")) return undefined;
    this.#known.set(key, effects);
    return effects;
  }

  #isSame({ old: older, new: newer }: EntryPair): boolean {
    const { classes } = this.#context;
    return older !== undefined && newer !== undefined && classes.of(older) === classes.of(newer);
  }
}

/** Where the references lead that some schemas reach. */
function referredFrom(roots: readonly SchemaLocation[]): ReadonlySet<unknown> {
  const reached = [...reachedFrom(roots).values()];
  const targets = reached.flatMap((from) =>
    referencesOf(from).map(([, reference]) => from.set.resolve(from, reference).schema),
  );
  return new Set(targets);
}

function toCoveredChange(
  name: string,
  found: EntryComparison["covered"][number],
  byItself: ByItself,
): Change {
  const { type, because, change, path } = found;
  const said = `by itself \`${type.name}\` ${verbOf(byItself)}`;
  const message = `is compatible only because ${because}; ${said}`;
  return { ...change, path, rule: covered, types: [name], message, effects: NONE, byItself };
}

function verbOf(effects: ByItself): string {
  return listVerdicts(effects).includes("breaking") ? "breaks" : "may break";
}

function listVerdicts(effects: Readonly<Record<RecordLens, Effects>>) {
  return RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.map((direction) => effects[lens][direction].verdict),
  );
}

const COMPATIBLE: Effects = {
  backward: { verdict: "compatible" },
  forward: { verdict: "compatible" },
};
const NONE: Change["effects"] = { validate: COMPATIBLE, "declared-writer": COMPATIBLE };

function keyOf({ old: older, new: newer }: EntryPair): string {
  return JSON.stringify([older, newer].map((each) => each && `${each.uri}#${each.pointer}`));
}
