import type { JSX } from "preact";
import { Table, Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import type { SchemaComparison } from "../contract-data.js";
import { addressOfComparison } from "./addresses.js";
import { Verdict } from "./verdict.js";

/** The modes that suit records: that of most repositories, and the stricter one. */
const COLUMNS = [
  ["declared-writer", "backward"],
  ["declared-writer", "forward"],
  ["validate", "backward"],
  ["validate", "forward"],
] as const;

/** All versions with their verdicts. */
export function ChangesPage({
  comparisons,
}: {
  readonly comparisons: readonly SchemaComparison[];
}): JSX.Element {
  const heads = ["Schema", "Before", "Required bump", "Changes"];
  return (
    <>
      <Title>Changes</Title>
      <p>
        Backward: new readers, old records. Forward: old readers, new records. A breaking change has
        a record that proves it.
      </p>
      <Table
        label="Changes"
        columns={[...heads, ...COLUMNS.map(([lens, direction]) => `${direction}, ${lens}`)]}
      >
        {comparisons.map((comparison) => (
          <Row key={comparison.id} comparison={comparison} />
        ))}
      </Table>
    </>
  );
}

function Row({ comparison }: { readonly comparison: SchemaComparison }): JSX.Element {
  const { schema, from = "", to, status, bump, changes, verdicts } = comparison;
  return (
    <tr>
      <th scope="row">
        <a href={addressOfComparison(comparison)}>
          {showControls(`${schema} ${to ?? ""}`.trimEnd())}
        </a>
      </th>
      <td>{status === "changed" ? from : status === "added" ? "none" : status}</td>
      <td>{bump}</td>
      <td class={changes.length === 0 ? "number none" : "number"}>{changes.length}</td>
      {COLUMNS.map(([lens, direction]) => (
        <td key={`${lens} ${direction}`}>
          <Verdict verdict={verdicts.find((each) => each.lens === lens)?.[direction]} />
        </td>
      ))}
    </tr>
  );
}
