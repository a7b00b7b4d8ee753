import type { JSX } from "preact";
import { Findings } from "../../../../base/page/app/findings.js";
import { type Route, toAddress } from "../../../../base/page/app/route.js";
import { Title } from "../../../../base/page/app/shell.js";
import { showControls } from "../../../../base/page/app/text-view.js";
import { formatCount } from "../../../../base/text.js";
import type { ReportIndex } from "../report-data.js";
import { PartNote, SampleNote } from "./overview.js";

/** Findings in lines of no rollout, and the rollouts that have findings. */
export function FindingsPage({
  index,
  route,
}: {
  readonly index: ReportIndex;
  readonly route: Route;
}): JSX.Element {
  const { rows, findings, totals } = index;
  const found = rows.flatMap((row, index) =>
    row.errors + row.warnings > 0 ? [{ row, index }] : [],
  );
  return (
    <>
      <Title>Findings</Title>
      <PartNote index={index} route={route} />
      <SampleNote index={index} />
      <p>
        {formatCount(totals.errors, "error")}, {formatCount(totals.warnings, "warning")} in all
        rollouts
      </p>
      <Findings findings={findings} />
      <ul>
        {found.map(({ row: { id, errors, warnings }, index }) => (
          <li key={index}>
            <a href={toAddress(["rollouts", String(index)])}>{showControls(id)}</a>:{" "}
            {formatCount(errors, "error")}, {formatCount(warnings, "warning")}
          </li>
        ))}
      </ul>
    </>
  );
}
