import type { JSX } from "preact";
import { toAddress } from "../../../base/page/app/route.js";
import { showControls } from "../../../base/page/app/text-view.js";
import type { ContractSchema, ContractType, SchemaComparison, TypeLink } from "../contract-data.js";

/** Stands for the name of a schema that is a type itself. */
const DOCUMENT = "(document)";

export function nameOf({ name }: Pick<TypeLink, "name">): string {
  return name === "" ? DOCUMENT : showControls(name);
}

/** A part of an address. Names may contain anything. */
function encode(name: string): string {
  return encodeURIComponent(name === "" ? DOCUMENT : name);
}

export function addressOfSchema(schema: string): string {
  return toAddress(["types", encode(schema)]);
}

/** The address of a type, or of one of its fields. */
export function addressOfType({ schema, name }: TypeLink, field?: string): string {
  const query = new URLSearchParams();
  if (field !== undefined) query.set("field", field);
  return toAddress(["types", encode(schema), encode(name)], query);
}

export function addressOfComparison({ id }: Pick<SchemaComparison, "id">): string {
  return toAddress(["changes", ...id.split("/")]);
}

export function findSchema(
  schemas: readonly ContractSchema[],
  [schema]: readonly string[],
): ContractSchema | undefined {
  return schemas.find(({ name }) => encode(name) === schema);
}

export function findType(
  schema: ContractSchema | undefined,
  [, type]: readonly string[],
): ContractType | undefined {
  return schema?.types.find(({ name }) => encode(name) === type);
}

export function findComparison(
  comparisons: readonly SchemaComparison[],
  path: readonly string[],
): SchemaComparison | undefined {
  return comparisons.find(({ id }) => id === path.join("/"));
}

/** A type by its name, as a link. */
export function TypeName({ type }: { readonly type: TypeLink }): JSX.Element {
  return <a href={addressOfType(type)}>{nameOf(type)}</a>;
}
