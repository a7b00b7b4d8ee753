import type { Constraint } from "./formula.js";

/** Something that is taken for true in a value that was found. */
export interface Doubt {
  /** Why nobody knows, for people. */
  readonly because: string;
  /** Whether Ajv knows, and reads it in its own way. */
  readonly isReadByAjv: boolean;
}

/** Keywords that Ajv reads otherwise than draft 2020-12 does. */
const READINGS: Readonly<Record<string, string>> = {
  dependencies: "is none of draft 2020-12, and Ajv applies it",
  nullable: "is none of draft 2020-12, and Ajv applies it",
};

/** Keywords that are understood, but for some of their uses. */
const USES: Readonly<Record<string, string>> = {
  $dynamicRef: "may lead to several places",
  required: "names the empty name, which Ajv forgets in one of its modes",
};

/** Why nobody knows what a keyword demands. */
export function toDoubt({
  keyword,
  what,
  location,
}: Extract<Constraint, { readonly kind: "opaque" }>): Doubt {
  const because = (reason: string, isReadByAjv = false): Doubt => {
    return { because: `\`${keyword}\` ${reason}`, isReadByAjv };
  };
  if (READINGS[keyword] !== undefined) return because(READINGS[keyword], true);
  if (USES[keyword] !== undefined) return because(USES[keyword]);
  if (keyword === "format") return because(`${JSON.stringify(what)} is not known`);
  if (location !== undefined) {
    return because("is read differently by draft 2020-12 and by Ajv here", true);
  }
  if (keyword.startsWith("unevaluated")) return because("stands beside too much to follow");
  return because("is unknown: what it means is not known");
}
