import type { Constraint } from "./formula.js";

type Opaque = Extract<Constraint, { readonly kind: "opaque" }>;

/** Why nobody knows what a keyword demands: those that are understood, but for some of their uses. */
const REASONS: Readonly<Record<string, string>> = {
  $dynamicRef: "may lead to several places",
  dependencies: "is none of draft 2020-12, and Ajv applies it",
  nullable: "is none of draft 2020-12, and Ajv applies it",
  required: "names the empty name, which Ajv forgets in one of its modes",
};

/** What stopped the search, for people. */
export function describeOpaque({ keyword, what, location }: Opaque): string {
  const name = `\`${keyword}\``;
  const reason = REASONS[keyword];
  if (reason !== undefined) return `${name} ${reason}`;
  if (keyword === "format") return `${name} ${JSON.stringify(what)} is not known`;
  if (location !== undefined) return `${name} is read differently by draft 2020-12 and by Ajv here`;
  if (keyword.startsWith("unevaluated")) return `${name} stands beside too much to follow`;
  return `${name} is unknown: what it means is not known`;
}
