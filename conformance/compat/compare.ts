import type { BrokenKeyword } from "./compile-schema.js";
import { judgeOf } from "./judge-of.js";
import type { Formula, Literal } from "./satisfiability/formula.js";
import { Solver } from "./satisfiability/solver.js";
import type { SchemaLocation } from "./schema-set.js";

/** Whether a reader accepts all that a writer may write. */
export type Comparison =
  | { readonly verdict: "compatible" }
  | {
      readonly verdict: "breaking";
      /** A value that is valid to the writer and not to the reader: Ajv says so. */
      readonly witness: unknown;
      /** What the reader says of it. */
      readonly broken: readonly BrokenKeyword[];
    }
  | { readonly verdict: "undecided"; readonly because: string };

/**
 * Whether every value that is valid under `writer` is valid under `reader`: `breaking` only with a value that
 * proves it, `compatible` only when it is certain that there is none.
 */
export function compare(writer: SchemaLocation, reader: SchemaLocation): Comparison {
  return new Comparer(writer, reader).compare();
}

/** Compares what a writer may write with what a reader accepts, as a whole and in parts. */
export class Comparer {
  readonly #solver = new Solver();
  readonly #written: Literal;
  readonly #rejected: Literal;

  constructor(writer: SchemaLocation, reader: SchemaLocation) {
    this.#written = { kind: "schema", location: writer, holds: true };
    this.#rejected = { kind: "schema", location: reader, holds: false };
  }

  compare(): Comparison {
    return this.#compare(this.#written, this.#rejected);
  }

  /**
   * The same for the values of which `violation` is true alone. `isEnough`: the reader rejects all of them, so
   * that nothing else about it matters.
   */
  compareWhere(violation: Formula, isEnough: boolean): Comparison {
    return isEnough
      ? this.#compare(this.#written, violation)
      : this.#compare(this.#written, violation, this.#rejected);
  }

  #compare(...formulas: readonly Formula[]): Comparison {
    const solution = this.#solver.solve(...formulas);
    if (solution.kind === "none") return { verdict: "compatible" };
    const [writer, reader] = [judgeOf(this.#written.location), judgeOf(this.#rejected.location)];
    for (const witness of this.#solver.candidates(...formulas)) {
      if (writer.isValid(witness) !== true || reader.isValid(witness) !== false) continue;
      return { verdict: "breaking", witness, broken: reader.errorsOf(witness) };
    }
    const because =
      solution.kind === "unknown"
        ? solution.because
        : "what was found does not prove that it breaks";
    return { verdict: "undecided", because };
  }
}
