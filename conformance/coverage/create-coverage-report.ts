import { loadFixtures } from "../fixtures/load-fixtures.js";
import type { Direction } from "./judge.js";
import { type Coverage, type JudgedMutant, measureCoverage } from "./measure-coverage.js";
import { operators } from "./operators/index.js";
import { isEquivalence } from "./operators/operator.js";

/** What became of some mutants. */
export interface MutantCounts {
  /** All of them, without the equivalent ones. */
  readonly mutants: number;
  readonly killed: number;
  /** Those that no record can tell, for a reason that the operator gives. */
  readonly equivalent: number;
}

/** The mutants of one keyword in one schema. */
export interface CoverageRow {
  /** Name of the schema, such as `rollout-wire`. */
  readonly schema: string;
  readonly keyword: string;
  /** In how many places it was mutated. */
  readonly constraints: number;
  readonly loosened: MutantCounts;
  readonly tightened: MutantCounts;
}

/** An equivalent mutant, and why no record can tell it. */
export interface ArguedMutant {
  readonly file: string;
  readonly pointer: string;
  readonly change: string;
  readonly reason: string;
}

export interface CoverageReport {
  readonly rows: readonly CoverageRow[];
  readonly equivalent: readonly ArguedMutant[];
}

/** The table of `check --coverage-report`, of the checkout at `root`. Throws UserError as `measureCoverage` does. */
export function createCoverageReport(root: string): CoverageReport {
  const coverage = measureCoverage(root, loadFixtures(root).fixtures);
  return { rows: toRows(coverage), equivalent: coverage.mutants.flatMap(toArgued) };
}

function toRows({ schemas, mutants }: Coverage): CoverageRow[] {
  return schemas.flatMap((schema) =>
    operators.flatMap(({ keyword }): CoverageRow[] => {
      const own = mutants.filter(
        (mutant) => mutant.keyword === keyword && mutant.location.definition.schema === schema,
      );
      if (own.length === 0) return [];
      const count = (direction: Direction): MutantCounts =>
        countMutants(own.filter((mutant) => mutant.direction === direction));
      return [
        {
          schema: schema.name,
          keyword,
          constraints: new Set(own.map(({ pointer }) => pointer)).size,
          loosened: count("loosened"),
          tightened: count("tightened"),
        },
      ];
    }),
  );
}

function countMutants(mutants: readonly JudgedMutant[]): MutantCounts {
  const equivalent = mutants.filter(({ change }) => isEquivalence(change)).length;
  const killed = mutants.filter(({ killer }) => killer !== undefined).length;
  return { mutants: mutants.length - equivalent, killed, equivalent };
}

function toArgued({ location, pointer, change }: JudgedMutant): ArguedMutant[] {
  if (!isEquivalence(change)) return [];
  const { file } = location.definition.schema;
  return [{ file, pointer, change: change.change, reason: change.reason }];
}
