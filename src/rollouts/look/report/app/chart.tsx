import type { JSX } from "preact";
import { formatNumber } from "../../../../base/text.js";
import { describeBin, formatValue } from "../../distribution.js";
import type { Histogram } from "../report-data.js";

/** A histogram as bars, and as a table for those who read or hear it. */
export function Chart({ histogram }: { readonly histogram: Histogram }): JSX.Element {
  const { title, series, bins } = histogram;
  const most = Math.max(...bins.flatMap(({ counts }) => counts), 1);
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        {series.map(({ name, least, median, most: highest }, index) => (
          <span key={name} class={`series-${index}`}>
            {name}: {formatValue(least)} to {formatValue(highest)}, median {formatValue(median)}
          </span>
        ))}
      </figcaption>
      <table>
        <thead class="hidden">
          <tr>
            <th scope="col">{title}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bins.map((bin) => (
            <tr key={bin.low}>
              <th scope="row">{describeBin(bin)}</th>
              {bin.counts.map((count, index) => (
                <td key={series[index]?.name}>
                  <div>
                    <Bar share={count / most} series={index} />
                    {formatNumber(count)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** A bar for a share from 0 to 1. */
export function Bar({
  share,
  series = 0,
}: {
  readonly share: number;
  readonly series?: number;
}): JSX.Element {
  return (
    <svg
      class={`bar series-${series}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect width={100 * share} height="10" />
    </svg>
  );
}
