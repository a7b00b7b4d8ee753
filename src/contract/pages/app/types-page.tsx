import type { JSX } from "preact";
import { Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import type { ContractSchema, ContractType } from "../contract-data.js";
import { addressOfSchema, TypeName } from "./addresses.js";

/** The types of all schemas. */
export function TypesPage({
  schemas,
}: {
  readonly schemas: readonly ContractSchema[];
}): JSX.Element {
  return (
    <>
      <Title>Types</Title>
      {schemas.map((schema) => (
        <section key={schema.name}>
          <h2>
            <a href={addressOfSchema(schema.name)}>{showControls(schema.name)}</a> {schema.version}
          </h2>
          <TypeLists schema={schema} />
        </section>
      ))}
    </>
  );
}

/** The types of a schema: those of records, then the others. */
export function TypeLists({ schema }: { readonly schema: ContractSchema }): JSX.Element {
  const { name, types } = schema;
  const records = types.filter(({ isRecord }) => isRecord);
  const parts = types.filter(({ isRecord }) => !isRecord);
  return (
    <>
      <TypeList title="Record types" schema={name} types={records} />
      <TypeList title="Parts of records" schema={name} types={parts} />
    </>
  );
}

interface ListProps {
  readonly title: string;
  readonly schema: string;
  readonly types: readonly ContractType[];
}

function TypeList({ title, schema, types }: ListProps): JSX.Element | null {
  if (types.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {types.map(({ name, description }) => (
          <li key={name}>
            <TypeName type={{ schema, name }} /> <small>{showControls(description)}</small>
          </li>
        ))}
      </ul>
    </>
  );
}
