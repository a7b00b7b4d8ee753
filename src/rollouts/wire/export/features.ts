import {
  type Feature,
  type Features,
  isJson,
  isList,
  isValue,
} from "../../../base/json/feature.js";

export type { Feature, Features };

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
