import type { JSX } from "preact";
import { type Route, toAddress } from "../../../../base/page/app/route.js";
import { Scrollable, Title } from "../../../../base/page/app/shell.js";
import { cutId, showControls } from "../../../../base/page/app/text-view.js";
import { formatBytes, formatNumber } from "../../../../base/text.js";
import { explainOutcome } from "../../rollout-view.js";
import type { ReportIndex } from "../report-data.js";
import { Bar, Chart } from "./chart.js";

interface PartProps {
  readonly index: ReportIndex;
  readonly route: Route;
}

/** What the rollouts are like together, and where they come from. */
export function Overview({ index, route }: PartProps): JSX.Element {
  const { totals, target, histograms } = index;
  return (
    <>
      <Title>Overview</Title>
      <PartNote index={index} route={route} />
      <SampleNote index={index} />
      <dl class="totals">
        <Total name="rollouts" value={totals.rollouts} />
        <Total name="branches" value={totals.branches} />
        <Total
          name={`pairs for ${target}`}
          value={totals.pairs}
          address={addressOf("outcome", "pair")}
        />
        {totals.contaminated === undefined ? (
          <Total name="contaminated" value="not checked" />
        ) : (
          <Total name="contaminated" value={totals.contaminated} address={CONTAMINATED} />
        )}
        <Total name="errors" value={totals.errors} address={FINDINGS} />
        <Total name="warnings" value={totals.warnings} address={FINDINGS} />
      </dl>
      <div class="charts">
        <Counts
          title="Rollouts by outcome"
          rows={totals.outcomes.map(([outcome, count]) => ({
            name: outcome,
            count,
            note: explainOutcome(outcome),
            address: addressOf("outcome", outcome),
          }))}
        />
        <Counts
          title="Branches by verdict"
          rows={totals.verdicts.map(([verdict, count]) => ({
            name: verdict,
            count,
            address: addressOf("verdict", verdict),
          }))}
        />
        {histograms.map((histogram) => (
          <Chart key={histogram.title} histogram={histogram} />
        ))}
        {totals.tools.length > 0 && (
          <Counts
            title="Calls by tool"
            rows={totals.tools.map(([name, count, failed]) => ({
              name: cutId(name),
              count,
              note:
                failed === 0
                  ? ""
                  : `${formatNumber(failed)} failed (${Math.round((100 * failed) / count)} %)`,
              address: addressOf("tool", name),
            }))}
          />
        )}
        {totals.findings.length > 0 && (
          <Counts
            title="Findings by rule"
            rows={totals.findings.map(([name, count]) => ({ name, count }))}
          />
        )}
      </div>
      <Origin index={index} />
    </>
  );
}

function addressOf(filter: string, value: string): string {
  return toAddress(["rollouts"], new URLSearchParams({ [filter]: value }));
}

const FINDINGS = toAddress(["findings"]);
/** The worst first. */
const CONTAMINATED = toAddress(
  ["rollouts"],
  new URLSearchParams({ finding: "contaminated", sort: "overlap", order: "down" }),
);

interface TotalProps {
  readonly name: string;
  readonly value: number | string;
  /** Where they are listed. */
  readonly address?: string;
}

function Total({ name, value, address }: TotalProps): JSX.Element {
  const shown = typeof value === "number" ? formatNumber(value) : value;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{address !== undefined && value !== 0 ? <a href={address}>{shown}</a> : shown}</dd>
    </div>
  );
}

/** Which rollouts this page has, if others are on other pages. */
export function PartNote({
  index: { part, totals },
  route: { path, query },
}: PartProps): JSX.Element | null {
  if (part === undefined) return null;
  const { first, last, previous, next } = part;
  // The same part of the other page, with the same choices.
  const address = toAddress(path, query);
  return (
    <nav class="pager note" aria-label="Pages of the report">
      <span>
        This page has rollouts {formatNumber(first)} to {formatNumber(last)} of{" "}
        {formatNumber(totals.rollouts)}: its list, search and findings are about these, the numbers
        of the overview about all.
      </span>
      {previous && <a href={previous + address}>Previous page</a>}
      {next && <a href={next + address}>Next page</a>}
    </nav>
  );
}

/** Which rollouts this page has, if it has no room for all. */
export function SampleNote({
  index: { sample, rows, totals },
}: {
  readonly index: ReportIndex;
}): JSX.Element | null {
  if (sample === undefined) return null;
  const contaminated = rows.filter((row) => row.contaminated > 0).length;
  const pairs = rows.filter(({ outcome }) => outcome === "pair").length;
  const of = (shown: number, all: number): string =>
    `${formatNumber(shown)} of ${formatNumber(all)}`;
  return (
    <p class="note">
      The page has room for {of(rows.length, totals.rollouts)} rollouts (limit{" "}
      {formatBytes(sample.maxBytes)}): first those with errors, then the contaminated ones (
      {totals.contaminated === undefined ? "not checked" : of(contaminated, totals.contaminated)}),
      the pairs with the smallest and the largest gaps ({of(pairs, totals.pairs)} pairs), and others
      at random (seed {sample.seed}). The numbers of the overview are about all rollouts.
    </p>
  );
}

interface CountRow {
  readonly name: string;
  readonly count: number;
  readonly note?: string;
  readonly address?: string;
}

function Counts({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly CountRow[];
}): JSX.Element {
  const most = Math.max(...rows.map(({ count }) => count), 1);
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
      </figcaption>
      <table>
        <tbody>
          {rows.map(({ name, count, note = "", address }) => (
            <tr key={name}>
              <th scope="row">{address ? <a href={address}>{name}</a> : name}</th>
              <td>
                <div>
                  <Bar share={count / most} />
                  {formatNumber(count)}
                </div>
                <small>{note}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Origin({
  index: { command, versions, inputs },
}: {
  readonly index: ReportIndex;
}): JSX.Element {
  return (
    <section>
      <h2>Origin</h2>
      <pre class="text">{showControls(command)}</pre>
      <Scrollable label="Origin" kind="wide">
        <table class="plain">
          <tbody>
            {versions.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
            {inputs.map(({ file, bytes, sha256 }) => (
              <tr key={file}>
                <th scope="row">{showControls(file)}</th>
                <td>
                  {formatBytes(bytes)}, sha256 <code>{sha256}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </section>
  );
}
