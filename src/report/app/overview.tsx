import type { JSX } from "preact";
import { formatBytes, formatCount, formatNumber } from "../../text.js";
import { explainOutcome } from "../../view/rollout-view.js";
import type { ReportIndex } from "../report-data.js";
import { Bar, Chart } from "./chart.js";
import { toAddress } from "./route.js";
import { Scrollable, Title } from "./shell.js";
import { cutId, showControls } from "./text-view.js";

/** What the rollouts are like together, and where they come from. */
export function Overview({ index }: { readonly index: ReportIndex }): JSX.Element {
  const { totals, target, histograms, sample } = index;
  return (
    <>
      <Title>Overview</Title>
      <PartNote index={index} />
      {sample && (
        <p class="note">
          The page has no room for {formatCount(sample.leftOut, "more rollout")} (limit{" "}
          {formatBytes(sample.maxBytes)}). It has those with errors, the contaminated ones, the
          pairs with the smallest and the largest gaps, and others at random (seed {sample.seed}).
          The numbers below are about all rollouts.
        </p>
      )}
      <dl class="totals">
        <Total name="rollouts" value={totals.rollouts} />
        <Total name="branches" value={totals.branches} />
        <Total
          name={`pairs for ${target}`}
          value={totals.pairs}
          address={addressOf("outcome", "pair")}
        />
        <Total name="contaminated" value={totals.contaminated} address={CONTAMINATED} />
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
              note: failed === 0 ? "" : `${formatNumber(failed)} failed`,
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
  readonly value: number;
  /** Where they are listed. */
  readonly address?: string;
}

function Total({ name, value, address }: TotalProps): JSX.Element {
  const shown = formatNumber(value);
  return (
    <div>
      <dt>{name}</dt>
      <dd>{address !== undefined && value > 0 ? <a href={address}>{shown}</a> : shown}</dd>
    </div>
  );
}

/** Which rollouts this page has, if others are on other pages. */
export function PartNote({
  index: { part, totals },
}: {
  readonly index: ReportIndex;
}): JSX.Element | null {
  if (part === undefined) return null;
  const { first, last, previous, next } = part;
  return (
    <nav class="pager note" aria-label="Pages of the report">
      <span>
        Rollouts {formatNumber(first)} to {formatNumber(last)} of {formatNumber(totals.rollouts)}
      </span>
      {previous && <a href={`${previous}#/rollouts`}>Previous page</a>}
      {next && <a href={`${next}#/rollouts`}>Next page</a>}
    </nav>
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
