import type { RolloutRow } from "../report-data.js";

/** A column of the list. */
export interface Column {
  readonly id: string;
  readonly title: string;
  value(row: RolloutRow): string | number | undefined;
  /** Decides between rows with the same value. */
  tie?(row: RolloutRow): number | undefined;
}

export const COLUMNS: readonly Column[] = [
  { id: "id", title: "Rollout", value: ({ id }) => id },
  { id: "outcome", title: "Outcome", value: ({ outcome }) => outcome },
  { id: "branches", title: "Branches", value: ({ branches }) => branches },
  { id: "passed", title: "Passed", value: ({ passed }) => passed },
  { id: "best", title: "Best", value: ({ best }) => best },
  { id: "worst", title: "Worst", value: ({ worst }) => worst },
  { id: "gap", title: "Gap", value: ({ gap }) => gap },
  { id: "turns", title: "Turns", value: ({ turns }) => turns },
  { id: "divergence", title: "Parts in", value: ({ divergence }) => divergence },
  { id: "errors", title: "Errors", value: ({ errors }) => errors },
  { id: "warnings", title: "Warnings", value: ({ warnings }) => warnings },
  // Of equal overlaps, the longer text is the worse.
  { id: "overlap", title: "Overlap", value: ({ overlap }) => overlap, tie: ({ shared }) => shared },
  { id: "shared", title: "Shared words", value: ({ shared }) => shared },
];

/** A choice among values that rollouts have. */
interface Filter {
  readonly id: string;
  readonly title: string;
  values(row: RolloutRow): readonly string[];
}

export const FILTERS: readonly Filter[] = [
  { id: "outcome", title: "Outcome", values: ({ outcome }) => [outcome] },
  { id: "verdict", title: "Verdict", values: ({ verdicts }) => verdicts },
  { id: "tool", title: "Tool", values: ({ tools }) => tools },
  { id: "source", title: "Source", values: ({ files }) => files },
  { id: "finding", title: "Findings", values: findingsOf },
];

function findingsOf({ errors, warnings, contaminated }: RolloutRow): string[] {
  return [
    ...(errors > 0 ? ["errors"] : []),
    ...(warnings > 0 ? ["warnings"] : []),
    ...(contaminated > 0 ? ["contaminated"] : []),
  ];
}

/** Indices of the rows that the query asks for, in its order. */
export function findRows(rows: readonly RolloutRow[], query: URLSearchParams): number[] {
  const search = (query.get("search") ?? "").toLowerCase();
  const minGap = Number(query.get("gap")) || 0;
  const chosen = FILTERS.flatMap((filter) => {
    const value = query.get(filter.id);
    return value === null ? [] : [{ filter, value }];
  });
  const isWanted = (row: RolloutRow): boolean =>
    row.id.toLowerCase().includes(search) &&
    (minGap === 0 || (row.gap ?? -1) >= minGap) &&
    chosen.every(({ filter, value }) => filter.values(row).includes(value));
  const found = rows.flatMap((row, index) => (isWanted(row) ? [index] : []));
  const column = COLUMNS.find(({ id }) => id === query.get("sort"));
  if (column === undefined) return found;
  const sign = query.get("order") === "down" ? -1 : 1;
  return found
    .map((index) => {
      const row = rows[index];
      return { index, value: row && column.value(row), tie: row && column.tie?.(row) };
    })
    .sort((a, b) => compare(a.value, b.value, sign) || compare(a.tie, b.tie, sign))
    .map(({ index }) => index);
}

/** What has no value comes last, whatever the order. */
function compare(a: unknown, b: unknown, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  const [one, other] = [String(a), String(b)];
  return sign * (one < other ? -1 : one > other ? 1 : 0);
}
