import type { JSX } from "preact";
import { Title } from "../../../base/page/app/shell.js";
import { showControls, TextView } from "../../../base/page/app/text-view.js";
import { formatCount } from "../../../base/text.js";
import type { ReportedChange, SchemaComparison } from "../contract-data.js";
import { VerdictLine, VerdictTable } from "./verdict.js";

/** Two versions of a schema: verdicts, and each change with its proofs. */
export function ComparisonPage({
  comparison,
}: {
  readonly comparison: SchemaComparison;
}): JSX.Element {
  const { schema, from, to, bump, entry, verdicts, changes } = comparison;
  const versions = [from, to].filter((version) => version !== undefined).join(" to ");
  return (
    <>
      <Title>{showControls(`${schema} ${versions}`.trimEnd())}</Title>
      <TextView text={entry} mode="markdown" />
      <p>
        <code>{showControls(comparison.old)}</code>
        {comparison.new !== comparison.old && (
          <>
            {" "}
            to <code>{showControls(comparison.new)}</code>
          </>
        )}
        , required bump: {bump}
      </p>
      {verdicts.length > 0 && (
        <>
          <VerdictTable verdicts={verdicts} />
          <p>{formatCount(changes.length, "change")}</p>
        </>
      )}
      {changes.map((change, index) => (
        <Change key={index} change={change} number={index + 1} />
      ))}
    </>
  );
}

interface ChangeProps {
  readonly change: ReportedChange;
  readonly number: number;
}

function Change({ change, number }: ChangeProps): JSX.Element {
  const { rule, name, subject, others, message, places, verdicts, proofs, fix } = change;
  const more = others.length === 0 ? "" : ` (and in ${others.join(", ")})`;
  return (
    <section class="change">
      <h2>
        {number}. {rule} {name}
      </h2>
      <p>{showControls(`${subject}${more} ${message}`)}</p>
      <VerdictLine verdicts={verdicts} />
      {proofs.map(({ breaks, claim, witness }) => (
        <div key={breaks.join()} class="proof">
          <p>
            <b>{breaks.join(", ")}</b>: {showControls(claim)}
          </p>
          {witness !== undefined && <TextView text={witness} />}
        </div>
      ))}
      {proofs.length > 0 && <p>Fix: {showControls(fix)}</p>}
      <p>
        <small>
          <code>{showControls(places.old)}</code>, now <code>{showControls(places.new)}</code>
        </small>
      </p>
    </section>
  );
}
