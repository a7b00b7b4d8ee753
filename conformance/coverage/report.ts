import { alignColumns, formatCount } from "../../src/base/text.js";
import { type CheckedMutant, type Coverage, isUndetectable } from "./coverage.js";
import type { Direction } from "./mutants.js";
import { operators } from "./operators/index.js";
import { isEquivalence } from "./operators/operator.js";

/** The outcome of some mutants. */
export interface MutantCounts {
  /** All mutants except the equivalent ones. */
  readonly mutants: number;
  readonly killed: number;
  /** Mutants that no record can detect, for the reason that the operator gives. */
  readonly equivalent: number;
}

/** The mutants of one keyword in one schema. */
export interface CoverageRow {
  /** Name of the schema, such as `rollout-wire`. */
  readonly schema: string;
  readonly keyword: string;
  /** Number of places where it was mutated. */
  readonly constraints: number;
  readonly loosened: MutantCounts;
  readonly tightened: MutantCounts;
}

/** An equivalent mutant, and why no record can detect it. */
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

/** The table of `check --coverage-report`. */
export function createCoverageReport(coverage: Coverage): CoverageReport {
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

function countMutants(mutants: readonly CheckedMutant[]): MutantCounts {
  const equivalent = mutants.filter(isUndetectable).length;
  const killed = mutants.filter(({ killer }) => killer !== undefined).length;
  return { mutants: mutants.length - equivalent, killed, equivalent };
}

function toArgued({ location, pointer, change, proof }: CheckedMutant): ArguedMutant[] {
  const reason = isEquivalence(change) ? change.reason : proof;
  if (reason === undefined) return [];
  const { file } = location.definition.schema;
  return [{ file, pointer, change: change.change, reason }];
}

const HEADER = ["schema", "keyword", "places", "loosened", "tightened", "equivalent"];

/**
 * Constraint coverage as a table: for each keyword of a schema, the number of places, of mutants killed, and
 * of equivalent mutants, which no record can detect. The equivalent mutants follow with their reasons.
 */
export function describeCoverage({ rows, equivalent }: CoverageReport): string {
  const table = [HEADER, ...rows.map(toCells), toCells(sumOf(rows))];
  const lines = alignColumns(table, { isNumber: (column) => column >= 2 });
  const reasons = equivalent.map(
    ({ file, pointer, change, reason }) => `  ${file} ${pointer}  ${change}: ${reason}\n`,
  );
  const heading = `\n${formatCount(equivalent.length, "mutant")} that no record can detect:\n`;
  return `${lines.map((line) => `  ${line}\n`).join("")}${reasons.length > 0 ? heading : ""}${reasons.join("")}`;
}

function toCells({ schema, keyword, constraints, loosened, tightened }: CoverageRow): string[] {
  const equivalent = loosened.equivalent + tightened.equivalent;
  return [
    schema,
    keyword,
    String(constraints),
    describeKilled(loosened),
    describeKilled(tightened),
    String(equivalent),
  ];
}

function describeKilled({ killed, mutants }: MutantCounts): string {
  return `${killed} of ${mutants}`;
}

function sumOf(rows: readonly CoverageRow[]): CoverageRow {
  return {
    schema: "all",
    keyword: "",
    constraints: rows.reduce((sum, { constraints }) => sum + constraints, 0),
    loosened: sumCounts(rows.map(({ loosened }) => loosened)),
    tightened: sumCounts(rows.map(({ tightened }) => tightened)),
  };
}

function sumCounts(counts: readonly MutantCounts[]): MutantCounts {
  return {
    mutants: counts.reduce((sum, { mutants }) => sum + mutants, 0),
    killed: counts.reduce((sum, { killed }) => sum + killed, 0),
    equivalent: counts.reduce((sum, { equivalent }) => sum + equivalent, 0),
  };
}
