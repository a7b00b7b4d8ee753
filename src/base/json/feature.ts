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
