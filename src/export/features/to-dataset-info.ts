import { type Feature, type Features, isJson, isList, isValue } from "./feature.js";

/** One feature as `dataset_info.features` of a dataset card spells it, without its name. */
export type CardFeature =
  | { readonly dtype: string }
  | { readonly list: string | CardFeature | readonly CardField[] }
  | { readonly struct: readonly CardField[] };

/** A column, or a field of a struct. */
export type CardField = { readonly name: string } & CardFeature;

/**
 * Columns as `dataset_info.features` in the YAML block of a dataset card (README.md) spells them:
 * the list that `datasets.Features._to_yaml_list()` writes. JSON is YAML: it may be printed as such.
 */
export function toDatasetInfo(features: Features): CardField[] {
  return Object.entries(features).map(([name, feature]) => ({ name, ...toCardFeature(feature) }));
}

function toCardFeature(feature: Feature): CardFeature {
  if (isValue(feature)) return { dtype: feature.dtype };
  if (isList(feature)) return { list: simplify(toCardFeature(feature.feature)) };
  return isJson(feature) ? { dtype: "json" } : { struct: toDatasetInfo(feature) };
}

/** In a list, a scalar is its dtype alone and a struct its fields alone. */
function simplify(item: CardFeature): string | CardFeature | readonly CardField[] {
  if ("dtype" in item) return item.dtype;
  return "struct" in item ? item.struct : item;
}
