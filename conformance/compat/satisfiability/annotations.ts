import { isAnnotation as isPlainAnnotation } from "../../schemas/annotations.js";

/** Keywords that name and hold, and `format`, an annotation unless a validator is told otherwise. */
const SILENT = new Set([
  "$anchor",
  "$defs",
  "$id",
  "$schema",
  "$vocabulary",
  "definitions",
  "format",
]);

/** Whether a keyword by itself changes no verdict of draft 2020-12, whatever its value. */
export function isAnnotation(keyword: string): boolean {
  return SILENT.has(keyword) || isPlainAnnotation(keyword);
}
