import type { JsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import { HOLE, type SchemaLocation } from "../schema/schema-set.js";
import { GivenUp } from "../solver/logic/solution.js";
import { applicatorRules, findFailed } from "./applicators.js";
import { collectionRules } from "./collections.js";
import { Evaluated, type Rule, type Rules, type Run, type Subject, type Truth } from "./subject.js";
import { valueRules } from "./values.js";

const RULES: Rules = { ...valueRules, ...collectionRules, ...applicatorRules };

/** Limit on the schemas that one value is held against. */
const MAX_STEPS = 200_000;

/**
 * Whether a value is valid under a schema, exactly as draft 2020-12 says: the second opinion on what the solver finds.
 * Undefined if that depends on a hole of the schema, if the schema recurses without end, or if it takes too long.
 */
export function isValid(location: SchemaLocation, value: unknown): boolean | undefined {
  return orUndefined(() => new Evaluation().evaluate(location, value));
}

/** The properties or items of a value that violate `keyword` of a schema; undefined as for `isValid`. */
export function findUnevaluated(
  location: SchemaLocation,
  value: unknown,
  keyword: "unevaluatedProperties" | "unevaluatedItems",
): readonly string[] | undefined {
  return orUndefined(() => new Evaluation().findUnevaluated(location, value, keyword));
}

/** Why `isValid` has no verdict on a value, in a clause with a place; undefined if it has one. */
export function whyUnknown(location: SchemaLocation, value: unknown): string | undefined {
  const evaluation = new Evaluation();
  try {
    return evaluation.evaluate(location, value) === undefined ? evaluation.why : undefined;
  } catch (error) {
    const isLimit = error instanceof GivenUp;
    if (!isLimit && !(error instanceof RangeError)) throw error;
    const reason = isLimit ? error.message : "it is nested too deeply, or without end";
    return `${reason}, at ${location.set.describe(location)}`;
  }
}

function orUndefined<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError || error instanceof GivenUp) return undefined;
    throw error;
  }
}

/** What is known of a value, by schema: witnesses of different types share parts. */
const truthsOf = memoize((_value: object) => new WeakMap<JsonObject, boolean>());

class Evaluation implements Run {
  /** The first part of the schema of which is not known what it accepts: the innermost one. */
  why: string | undefined;
  #left = MAX_STEPS;

  readonly step = (cost: number): void => {
    this.#left -= cost;
    if (this.#left < 0) throw new GivenUp("the value takes too long to validate");
  };

  evaluate(location: SchemaLocation, value: unknown, seen?: Evaluated): Truth {
    const { schema } = location;
    this.step(1);
    if (typeof schema === "boolean") return schema;
    if (seen !== undefined || typeof value !== "object" || value === null)
      return this.#evaluate(location, schema, value, seen);
    const known = truthsOf(value).get(schema);
    if (known !== undefined) return known;
    const truth = this.#evaluate(location, schema, value);
    if (truth !== undefined) truthsOf(value).set(schema, truth);
    return truth;
  }

  #evaluate(location: SchemaLocation, schema: JsonObject, value: unknown, seen?: Evaluated): Truth {
    const { rules, needsSeen } = planOf(schema);
    const own = needsSeen ? new Evaluated() : seen;
    let truth: Truth = true;
    for (const rule of rules) {
      const each = rule({ schema, location, value, seen: own, run: this });
      if (each === false) return false;
      if (each === undefined) {
        truth = undefined;
        this.why ??= describeUnknown(location);
      }
    }
    if (own !== undefined && own !== seen) seen?.add(own);
    return truth;
  }

  apply(location: SchemaLocation, { value, seen }: Subject): Truth {
    if (seen === undefined) return this.evaluate(location, value);
    const own = new Evaluated();
    const truth = this.evaluate(location, value, own);
    if (truth === true) seen.add(own);
    else if (truth === undefined) seen.isUnsure = true;
    return truth;
  }

  findUnevaluated(location: SchemaLocation, value: unknown, keyword: string): string[] | undefined {
    const { schema } = location;
    if (typeof schema === "boolean") return [];
    const subject = { schema, location, value, seen: new Evaluated(), run: this };
    for (const rule of planOf(schema).rules.filter((each) => each !== RULES[keyword]))
      rule(subject);
    const { failed, isUnsure } = findFailed(subject, keyword);
    return isUnsure ? undefined : failed;
  }
}

function describeUnknown({ set, schema, ...place }: SchemaLocation): string {
  const { [HOLE]: hole } = Object(schema);
  if (hole !== undefined) return `nobody knows what ${hole} accepts`;
  return `no double holds a number at ${set.describe({ set, schema, ...place })}`;
}

/** The rules of a schema's keywords, those on what is unevaluated last. */
interface Plan {
  readonly rules: readonly Rule[];
  readonly needsSeen: boolean;
}

const planOf = memoize((schema: JsonObject): Plan => {
  const keywords = Object.keys(schema).filter((keyword) => Object.hasOwn(RULES, keyword));
  const isLast = (keyword: string): boolean => keyword.startsWith("unevaluated");
  const sorted = [...keywords.filter((each) => !isLast(each)), ...keywords.filter(isLast)];
  const rules = sorted.flatMap((keyword) => RULES[keyword] ?? []);
  return { rules, needsSeen: keywords.some(isLast) };
});
