import type { FormatMode } from "../schema-set.js";

/** Keywords that change no verdict of draft 2020-12, whatever their value. */
const ANNOTATIONS = new Set([
  "$anchor",
  "$comment",
  "$defs",
  // Means something to a `$dynamicRef` alone.
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$vocabulary",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "definitions",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Whether a keyword changes no verdict. Those that begin with `x-` are for the tools of their authors. */
export function isAnnotation(keyword: string, format: FormatMode = "annotate"): boolean {
  if (keyword === "format") return format === "annotate";
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}
