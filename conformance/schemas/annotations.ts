/** Keywords of draft 2020-12 that speak to people and to tools, and change no verdict. */
export const ANNOTATIONS: readonly string[] = [
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
];

/** Whether a keyword is an annotation. Those that begin with `x-` are for the tools of their authors. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith("x-");
}
