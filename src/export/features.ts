/**
 * A Hugging Face `datasets` feature, in the form of `datasets.Features.to_dict()` and `from_dict`. `Json`
 * accepts any value (datasets 4.7 and later). A struct is an object that maps fields to features.
 */
export type Feature =
  | { readonly _type: "Value"; readonly dtype: string }
  | { readonly _type: "List"; readonly feature: Feature }
  | { readonly _type: "Json" }
  | Features;

/** Columns of a file, or fields of a struct, in order. */
export interface Features {
  readonly [name: string]: Feature;
}

export function isValue(feature: Feature): feature is Extract<Feature, { _type: "Value" }> {
  return feature._type === "Value";
}

export function isList(feature: Feature): feature is Extract<Feature, { _type: "List" }> {
  return feature._type === "List";
}

export function isJson(feature: Feature): feature is Extract<Feature, { _type: "Json" }> {
  return feature._type === "Json";
}

/** The feature of a list whose items have the feature `feature`. */
export function listOf<Item>(feature: Item): {
  readonly _type: "List";
  readonly feature: Item;
} {
  return { _type: "List", feature };
}

/** A feature as it appears in `dataset_info.features` of a dataset card, without its name. */
type CardFeature =
  | { readonly dtype: string }
  | { readonly list: string | CardFeature | readonly CardField[] }
  | { readonly struct: readonly CardField[] };

/** A column, or a field of a struct. */
export type CardField = { readonly name: string } & CardFeature;

/**
 * Converts columns to `dataset_info.features` in the YAML block of a dataset card (README.md), which is the
 * list that `datasets.Features._to_yaml_list()` returns. It can be printed as JSON, because JSON is valid YAML.
 */
export function toDatasetInfo(features: Features): CardField[] {
  return Object.entries(features).map(([name, feature]) => ({ name, ...toCardFeature(feature) }));
}

function toCardFeature(feature: Feature): CardFeature {
  if (isValue(feature)) return { dtype: feature.dtype };
  if (isList(feature)) return { list: simplify(toCardFeature(feature.feature)) };
  return isJson(feature) ? { dtype: "json" } : { struct: toDatasetInfo(feature) };
}

/** In a list, a scalar is only its dtype and a struct only its fields. */
function simplify(item: CardFeature): string | CardFeature | readonly CardField[] {
  if ("dtype" in item) return item.dtype;
  return "struct" in item ? item.struct : item;
}
