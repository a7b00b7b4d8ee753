/** Whether there is a value of which all is true that is demanded. */
export type Solution =
  | { readonly kind: "value"; readonly value: unknown }
  /** There is none, for certain. */
  | { readonly kind: "none" }
  /** Nobody knows; `because` says what could not be decided. */
  | { readonly kind: "unknown"; readonly because: string };

export const NONE: Solution = { kind: "none" };

export function found(value: unknown): Solution {
  return { kind: "value", value };
}

export function unknown(because: string): Solution {
  return { kind: "unknown", because };
}
