import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { changeQuery, type Route, toAddress } from "../../../../base/page/app/route.js";
import { Scrollable, Title } from "../../../../base/page/app/shell.js";
import { cutId, showControls } from "../../../../base/page/app/text-view.js";
import { formatCount } from "../../../../base/text.js";
import { formatValue } from "../../distribution.js";
import type { ReportIndex, RolloutRow } from "../report-data.js";
import { PartNote, SampleNote } from "./overview.js";
import { COLUMNS, type Column, FILTERS, findRows } from "./row-query.js";

/** Rows of a page of the list. */
const PAGE_ROWS = 100;

interface ListProps {
  readonly index: ReportIndex;
  readonly route: Route;
}

/** The rollouts of the page: searched, filtered, sorted. The choices are in the address. */
export function RolloutList({ index, route }: ListProps): JSX.Element {
  const { path, query } = route;
  const { rows } = index;
  const found = useMemo(() => findRows(rows, query), [rows, query]);
  const start = Math.min(Number(query.get("from") ?? 0) || 0, Math.max(0, found.length - 1));
  const change = (changes: Readonly<Record<string, string>>): void =>
    changeQuery(route, { from: "", ...changes });
  return (
    <>
      <Title>Rollouts</Title>
      <PartNote index={index} route={route} />
      <SampleNote index={index} />
      <Filters rows={rows} query={query} onChange={change} />
      <p>
        <span role="status">{formatCount(found.length, "rollout")}</span>{" "}
        {found.length < rows.length && <a href={toAddress(path)}>Show all</a>}
      </p>
      <Scrollable label="Rollouts" kind="wide">
        <table class="list">
          <Head query={query} onChange={change} />
          <tbody>
            {found.slice(start, start + PAGE_ROWS).map((row) => (
              <tr key={row}>
                {COLUMNS.map((column) => (
                  <Cell
                    key={column.id}
                    column={column}
                    row={rows[row]}
                    address={toAddress(["rollouts", String(row)], query)}
                  />
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
        Search rollout ids
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
          value={Number(query.get("gap")) || ""}
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
  /** Of the rollout, with the choices of the list: its neighbours are those of the list. */
  readonly address: string;
}

function Cell({ column: { id, value }, row, address }: CellProps): JSX.Element {
  const shown = row && value(row);
  if (id === "id") {
    return (
      <th scope="row">
        <a href={address}>{cutId(String(shown))}</a>
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
