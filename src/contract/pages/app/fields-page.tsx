import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { changeQuery, type Route } from "../../../base/page/app/route.js";
import { Table, Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import { formatCount } from "../../../base/text.js";
import type { ContractField, ContractSchema, TypeLink } from "../contract-data.js";
import { addressOfType, nameOf, TypeName } from "./addresses.js";
import { TypeParts } from "./type-page.js";

/** Rows that are shown: a search narrows the rest. */
const MAX_ROWS = 200;

interface FieldRow {
  readonly type: TypeLink;
  readonly field: ContractField;
  /** What is searched, in lower case. */
  readonly text: string;
}

interface PageProps {
  readonly schemas: readonly ContractSchema[];
  readonly route: Route;
}

/** The fields of all types, searched by name, type and description. The search is in the address. */
export function FieldsPage({ schemas, route }: PageProps): JSX.Element {
  const { query } = route;
  const rows = useMemo(() => schemas.flatMap(listRows), [schemas]);
  const [search, schema] = [query.get("search") ?? "", query.get("schema") ?? ""];
  const words = search.toLowerCase().split(/\s+/);
  const found = rows.filter(
    ({ type, text }) =>
      (schema === "" || type.schema === schema) && words.every((word) => text.includes(word)),
  );
  const set = (name: string, value: string): void => changeQuery(route, { [name]: value });
  return (
    <>
      <Title>Fields</Title>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            value={search}
            onInput={(event) => set("search", event.currentTarget.value)}
          />
        </label>
        <label>
          Schema
          <select value={schema} onChange={(event) => set("schema", event.currentTarget.value)}>
            <option value="">all</option>
            {schemas.map(({ name }) => (
              <option key={name} value={name}>
                {showControls(name)}
              </option>
            ))}
          </select>
        </label>
      </form>
      <p role="status">
        {formatCount(found.length, "field")}
        {found.length > MAX_ROWS && `, the first ${MAX_ROWS} below`}
      </p>
      <Table label="Fields" columns={["Field", "Of", "Type", "Required", "Description"]}>
        {found.slice(0, MAX_ROWS).map(({ type, field }) => (
          <tr key={`${type.schema} ${type.name} ${field.path}`}>
            <th scope="row" class="key">
              <a href={addressOfType(type, field.path)}>
                <code>{showControls(field.path)}</code>
              </a>
            </th>
            <td>
              <TypeName type={type} />
            </td>
            <td>
              <TypeParts parts={field.type} />
            </td>
            <td class={field.isRequired ? undefined : "none"}>
              {field.isRequired ? "required" : "optional"}
            </td>
            <td class="prose">{showControls(field.description)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function listRows({ name: schema, types }: ContractSchema): FieldRow[] {
  return types.flatMap(({ name, fields }) => {
    const type = { schema, name };
    return fields.map((field) => ({
      type,
      field,
      text: [
        field.path,
        nameOf(type),
        field.description,
        ...field.type.map((part) => (typeof part === "string" ? part : part.name)),
        ...field.constraints,
      ]
        .join("\n")
        .toLowerCase(),
    }));
  });
}
