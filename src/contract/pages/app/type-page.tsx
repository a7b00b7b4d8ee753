import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Route } from "../../../base/page/app/route.js";
import { Table, Title } from "../../../base/page/app/shell.js";
import { showControls, TextView } from "../../../base/page/app/text-view.js";
import type {
  ContractExample,
  ContractField,
  ContractSchema,
  ContractType,
  TypePart,
} from "../contract-data.js";
import { addressOfSchema, nameOf, TypeName } from "./addresses.js";

interface PageProps {
  readonly schema: ContractSchema;
  readonly type: ContractType;
  readonly route: Route;
}

/** A type: its fields, who uses it, and examples. */
export function TypePage({ schema, type, route: { query } }: PageProps): JSX.Element {
  const { isRecord, description, fields, since, usedBy, constraints } = type;
  return (
    <>
      <Title>{nameOf(type)}</Title>
      <p>
        {isRecord ? "Record type" : "Part of records"} of{" "}
        <a href={addressOfSchema(schema.name)}>{showControls(schema.name)}</a> {schema.version},
        since {since}. Written by {showControls(schema.producers.join(", ") || "nobody")}, read by{" "}
        {showControls(schema.consumers.join(", ") || "nobody")}.
      </p>
      <p>{showControls(description)}</p>
      <p>
        Type: <TypeParts parts={type.type} />
        {constraints.length > 0 && <>; {showControls(constraints.join("; "))}</>}
      </p>
      {fields.length > 0 && (
        <Table
          label="Fields"
          columns={["Field", "Type", "Required", "Constraints", "Since", "Description"]}
        >
          {fields.map((field) => (
            <FieldRow key={field.path} field={field} isSought={query.get("field") === field.path} />
          ))}
        </Table>
      )}
      {usedBy.length > 0 && (
        <>
          <h2>Used by</h2>
          <ul>
            {usedBy.map((user) => (
              <li key={`${user.schema} ${user.name}`}>
                <TypeName type={user} /> <small>{showControls(user.schema)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      <Examples type={type} />
    </>
  );
}

/** Words and links. */
export function TypeParts({ parts }: { readonly parts: readonly TypePart[] }): JSX.Element {
  return (
    <>
      {parts.map((part, index) =>
        typeof part === "string" ? showControls(part) : <TypeName key={index} type={part} />,
      )}
    </>
  );
}

interface RowProps {
  readonly field: ContractField;
  /** Whether the address names this field. */
  readonly isSought: boolean;
}

function FieldRow({ field, isSought }: RowProps): JSX.Element {
  const { path, type, isRequired, constraints, since, description, from } = field;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isSought) row.current?.scrollIntoView({ block: "center" });
  }, [isSought]);
  return (
    <tr ref={row}>
      <th scope="row" class="key">
        <code>{isSought ? <mark>{showControls(path)}</mark> : showControls(path)}</code>
      </th>
      <td>
        <TypeParts parts={type} />
      </td>
      <td class={isRequired ? undefined : "none"}>{isRequired ? "required" : "optional"}</td>
      <td>{showControls(constraints.join("; "))}</td>
      <td>{since}</td>
      <td class="prose">
        {showControls(description)}
        {from && (
          <>
            {" "}
            <small>
              (from <TypeName type={from} />)
            </small>
          </>
        )}
      </td>
    </tr>
  );
}

function Examples({
  type: { examples, exampleCount },
}: Pick<PageProps, "type">): JSX.Element | null {
  if (examples.length === 0) return null;
  const left = exampleCount - examples.length;
  return (
    <>
      <h2>Examples</h2>
      {left > 0 && (
        <p>
          The first {examples.length} of {exampleCount} valid fixtures.
        </p>
      )}
      {examples.map((example, index) => (
        <Example key={example.name} example={example} open={index === 0} />
      ))}
    </>
  );
}

interface ExampleProps {
  readonly example: ContractExample;
  readonly open: boolean;
}

function Example({ example: { name, why, json }, open }: ExampleProps): JSX.Element {
  return (
    <details open={open}>
      <summary>
        {showControls(name)} <small>{showControls(why)}</small>
      </summary>
      <TextView text={json} />
    </details>
  );
}
