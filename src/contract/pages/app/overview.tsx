import type { JSX } from "preact";
import { Table, Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import { formatNumber } from "../../../base/text.js";
import type { ContractIndex, ContractSchema } from "../contract-data.js";
import { addressOfSchema } from "./addresses.js";

/** The schemas: who owns, writes and reads them. */
export function ContractOverview({
  index: { name, command, versions, schemas, comparisons },
}: {
  readonly index: ContractIndex;
}): JSX.Element {
  const types = schemas.flatMap((schema) => schema.types);
  const totals = [
    ["schemas", schemas.length],
    ["record types", types.filter(({ isRecord }) => isRecord).length],
    ["fields", types.reduce((sum, { fields }) => sum + fields.length, 0)],
    ["versions", comparisons.length],
  ] as const;
  return (
    <>
      <Title>{name}</Title>
      <dl class="totals">
        {totals.map(([title, count]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <h2>Schemas</h2>
      <Table
        label="Schemas"
        columns={["Schema", "Version", "Stability", "Owner", "Written by", "Read by", "About"]}
      >
        {schemas.map((schema) => (
          <SchemaRow key={schema.name} schema={schema} />
        ))}
      </Table>
      <h2>Origin</h2>
      <pre class="text">{showControls(command)}</pre>
      <ul>
        {versions.map(([program, version]) => (
          <li key={program}>
            {program} {version}
          </li>
        ))}
      </ul>
    </>
  );
}

function SchemaRow({ schema }: { readonly schema: ContractSchema }): JSX.Element {
  const { name, version, stability, owner, producers, consumers, description } = schema;
  return (
    <tr>
      <th scope="row" class="key">
        <a href={addressOfSchema(name)}>{showControls(name)}</a>
      </th>
      <td>{version}</td>
      <td>{stability}</td>
      <td>{showControls(owner)}</td>
      <td>{showControls(producers.join(", "))}</td>
      <td>{showControls(consumers.join(", "))}</td>
      <td class="prose">{showControls(description)}</td>
    </tr>
  );
}
