import type { SchemaElement } from "hyparquet";
import { type Feature, type Features, isJson, isList, isValue } from "../json/feature.js";

/** Columns as `datasets` stores them: everything may be null, and a Json column holds text. */
type Physical = Pick<SchemaElement, "type" | "converted_type" | "logical_type">;

const PHYSICAL: Readonly<Record<string, Physical>> = {
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  int64: { type: "INT64" },
  float64: { type: "DOUBLE" },
  bool: { type: "BOOLEAN" },
};

const JSON_TEXT: Physical = {
  type: "BYTE_ARRAY",
  converted_type: "JSON",
  logical_type: { type: "JSON" },
};

/** The schema of a Parquet file with these columns, in the order of its tree. */
export function toParquetSchema(features: Features): SchemaElement[] {
  const names = Object.keys(features);
  return [{ name: "schema", num_children: names.length }, ...toFields(features)];
}

function toFields(features: Features): SchemaElement[] {
  return Object.entries(features).flatMap(([name, feature]) => toElements(name, feature));
}

function toElements(name: string, feature: Feature): SchemaElement[] {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  if (isJson(feature)) return [{ ...optional, ...JSON_TEXT }];
  if (isValue(feature)) {
    const physical = PHYSICAL[feature.dtype];
    if (physical === undefined) throw new TypeError(`no Parquet type for ${feature.dtype}`);
    return [{ ...optional, ...physical }];
  }
  if (isList(feature)) {
    return [
      { ...optional, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...toElements("element", feature.feature),
    ];
  }
  return [{ ...optional, num_children: Object.keys(feature).length }, ...toFields(feature)];
}

/** The same for a writer that is given JSON as text. By the converted type, it would expect values, and print them. */
export function withoutJsonValues(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map(({ converted_type, ...element }) =>
    converted_type === undefined || converted_type === "JSON"
      ? element
      : { ...element, converted_type },
  );
}

/** Whether a column holds JSON text: its least and greatest value would be whole documents. */
export function holdsJson(feature: Feature): boolean {
  if (isJson(feature)) return true;
  if (isValue(feature)) return false;
  if (isList(feature)) return holdsJson(feature.feature);
  return Object.values(feature).some(holdsJson);
}

/** The metadata by which `datasets` knows the columns of a file that has no dataset card. */
export function toDatasetsMetadata(features: Features): { key: string; value: string } {
  return { key: "huggingface", value: JSON.stringify({ info: { features } }) };
}
