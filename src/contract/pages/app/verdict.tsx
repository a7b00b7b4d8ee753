import type { JSX } from "preact";
import { Table } from "../../../base/page/app/shell.js";
import type { LensVerdicts } from "../contract-data.js";

const CLASSES: Readonly<Record<string, string>> = { compatible: "pass", breaking: "fail" };

/** A verdict in words and in colour. */
export function Verdict({ verdict }: { readonly verdict: string | undefined }): JSX.Element | null {
  if (verdict === undefined) return null;
  return <span class={`verdict ${CLASSES[verdict] ?? ""}`}>{verdict}</span>;
}

interface VerdictsProps {
  readonly verdicts: readonly LensVerdicts[];
}

/** Verdicts by compatibility mode and direction. */
export function VerdictTable({ verdicts }: VerdictsProps): JSX.Element {
  return (
    <Table label="Verdicts" columns={["Mode", "Backward", "Forward"]} kind="plain">
      {verdicts.map(({ lens, backward, forward }) => (
        <tr key={lens}>
          <th scope="row">{lens}</th>
          <td>
            <Verdict verdict={backward} />
          </td>
          <td>
            <Verdict verdict={forward} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The same in a line, for one change. */
export function VerdictLine({ verdicts }: VerdictsProps): JSX.Element {
  return (
    <ul class="verdicts">
      {verdicts.map(({ lens, backward, forward }) => (
        <li key={lens}>
          {lens}: {forward !== undefined && "backward "}
          <Verdict verdict={backward} />
          {forward !== undefined && (
            <>
              , forward <Verdict verdict={forward} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
