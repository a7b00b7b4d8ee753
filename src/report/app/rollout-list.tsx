import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatCount } from "../../text.js";
import type { ReportIndex, RolloutRow } from "../report-data.js";
import { formatValue } from "./chart.js";
import { PartNote } from "./overview.js";
import { changeQuery, type Route, toAddress } from "./route.js";
import { Scrollable, Title } from "./shell.js";
import { showControls } from "./text-view.js";

/** Rows of a page of the list. */
const PAGE_ROWS = 100;

interface Column {
  readonly id: string;
  readonly title: string;
  value(row: RolloutRow): string | number | undefined;
}

const COLUMNS: readonly Column[] = [
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
  { id: "contaminated", title: "Contaminated", value: ({ contaminated }) => contaminated },
];

/** A choice among values that rollouts have. */
interface Filter {
  readonly id: string;
  readonly title: string;
  values(row: RolloutRow): readonly string[];
}

const FILTERS: readonly Filter[] = [
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

interface ListProps {
  readonly index: ReportIndex;
  readonly route: Route;
}

/** The rollouts of the page: searched, filtered, sorted. The choices are in the address. */
export function RolloutList({ index, route }: ListProps): JSX.Element {
  const { query } = route;
  const { rows } = index;
  const found = useMemo(() => findRows(rows, query), [rows, query]);
  const start = Math.min(Number(query.get("from") ?? 0) || 0, Math.max(0, found.length - 1));
  const change = (changes: Readonly<Record<string, string>>): void =>
    changeQuery(route, { from: "", ...changes });
  return (
    <>
      <Title>Rollouts</Title>
      <PartNote index={index} />
      <Filters rows={rows} query={query} onChange={change} />
      <p role="status">{formatCount(found.length, "rollout")}</p>
      <Scrollable label="Rollouts" kind="wide">
        <table class="list">
          <Head query={query} onChange={change} />
          <tbody>
            {found.slice(start, start + PAGE_ROWS).map((row) => (
              <tr key={row}>
                {COLUMNS.map((column) => (
                  <Cell key={column.id} column={column} row={rows[row]} index={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      <Pager
        start={start}
        count={found.length}
        onChange={(from) => change({ from: String(from) })}
      />
    </>
  );
}

/** Indices of the rows that the query asks for, in its order. */
function findRows(rows: readonly RolloutRow[], query: URLSearchParams): number[] {
  const search = (query.get("search") ?? "").toLowerCase();
  const minGap = Number(query.get("gap") ?? 0);
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
    .map((index) => ({ index, value: rows[index] && column.value(rows[index]) }))
    .sort((a, b) => compare(a.value, b.value, sign))
    .map(({ index }) => index);
}

/** What has no value comes last, whatever the order. */
function compare(a: unknown, b: unknown, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  const [one, other] = [String(a), String(b)];
  return sign * (one < other ? -1 : one > other ? 1 : 0);
}

interface QueryProps {
  readonly query: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

function Filters({
  rows,
  query,
  onChange,
}: QueryProps & { readonly rows: readonly RolloutRow[] }): JSX.Element {
  const options = useMemo(
    () => FILTERS.map(({ values }) => [...new Set(rows.flatMap((row) => values(row)))].sort()),
    [rows],
  );
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Search
        <input
          type="search"
          value={query.get("search") ?? ""}
          onInput={(event) => onChange({ search: event.currentTarget.value })}
        />
      </label>
      {FILTERS.map(({ id, title }, index) => (
        <label key={id}>
          {title}
          <select
            value={query.get(id) ?? ""}
            onChange={(event) => onChange({ [id]: event.currentTarget.value })}
          >
            <option value="">all</option>
            {options[index]?.map((value) => (
              <option key={value} value={value}>
                {showControls(value)}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label>
        Least gap
        <input
          type="number"
          min="0"
          step="0.05"
          value={query.get("gap") ?? ""}
          onInput={(event) => onChange({ gap: event.currentTarget.value })}
        />
      </label>
    </form>
  );
}

function Head({ query, onChange }: QueryProps): JSX.Element {
  const sorted = query.get("sort");
  const isDown = query.get("order") === "down";
  const sortBy = (id: string): void => {
    // Up, down, and back to the order of the inputs.
    if (sorted !== id) onChange({ sort: id, order: "" });
    else if (isDown) onChange({ sort: "", order: "" });
    else onChange({ order: "down" });
  };
  return (
    <thead>
      <tr>
        {COLUMNS.map(({ id, title }) => (
          <th
            key={id}
            scope="col"
            aria-sort={sorted !== id ? undefined : isDown ? "descending" : "ascending"}
          >
            <button type="button" onClick={() => sortBy(id)}>
              {title}
              {sorted === id && (isDown ? " ↓" : " ↑")}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CellProps {
  readonly column: Column;
  readonly row: RolloutRow | undefined;
  readonly index: number;
}

function Cell({ column: { id, value }, row, index }: CellProps): JSX.Element {
  const shown = row && value(row);
  if (id === "id") {
    return (
      <th scope="row">
        <a href={toAddress(["rollouts", String(index)])}>{showControls(String(shown))}</a>
      </th>
    );
  }
  if (typeof shown === "number") {
    return <td class={shown === 0 ? "number none" : "number"}>{formatValue(shown)}</td>;
  }
  return <td>{shown}</td>;
}

interface PagerProps {
  readonly start: number;
  readonly count: number;
  readonly onChange: (start: number) => void;
}

function Pager({ start, count, onChange }: PagerProps): JSX.Element | null {
  if (count <= PAGE_ROWS) return null;
  const end = Math.min(start + PAGE_ROWS, count);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button
        type="button"
        disabled={start === 0}
        onClick={() => onChange(Math.max(0, start - PAGE_ROWS))}
      >
        Previous
      </button>
      <span>
        {start + 1} to {end} of {count}
      </span>
      <button type="button" disabled={end === count} onClick={() => onChange(end)}>
        Next
      </button>
    </nav>
  );
}
