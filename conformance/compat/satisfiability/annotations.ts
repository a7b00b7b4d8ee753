import { isAnnotation as isPlainAnnotation } from "../../schemas/annotations.js";
import type { FormatMode } from "../schema-set.js";

/** Keywords that name and hold. */
const SILENT = new Set([
  "$anchor",
  "$defs",
  // Means something to a `$dynamicRef` alone.
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$vocabulary",
  "definitions",
]);

/** Whether a keyword by itself changes no verdict of draft 2020-12, whatever its value. */
export function isAnnotation(keyword: string, format: FormatMode = "annotate"): boolean {
  if (keyword === "format") return format === "annotate";
  return SILENT.has(keyword) || isPlainAnnotation(keyword);
}
