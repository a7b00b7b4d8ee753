import { alignColumns, formatCount } from "../../src/base/text.js";
import type { CoverageReport, CoverageRow, MutantCounts } from "./coverage.js";

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
