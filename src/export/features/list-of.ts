/** Feature of a list whose items have the feature `feature`. */
export function listOf<Item>(feature: Item): {
  readonly _type: "List";
  readonly feature: Item;
} {
  return { _type: "List", feature };
}
