/** Names that a module may take from the standard library and from the run-time files. */
const SOURCES: readonly (readonly [module: string, names: string])[] = [
  ["dataclasses", "dataclass field"],
  ["typing", "Any Literal Mapping"],
  ["._errors", "Invalid WireFault escape_token"],
  ["._formats", "is_date is_date_time is_time"],
  ["._record", "Record read_record"],
  [
    "._values",
    "NO_FIELDS UNSET JsonValue Unset in_key_order is_array is_integer is_literal_number is_number " +
      "is_object to_int",
  ],
];

/** The imports of a module: of all names that it could need, those that stand in its text. */
export function importLines(
  text: string,
  foreign: ReadonlyMap<string, readonly string[]>,
): string[] {
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const fromSources = [
    ...SOURCES.map(([module, names]) => [module, names.split(" ")] as const),
    ...[...foreign].map(([module, names]) => [`.${module}`, names] as const),
  ]
    .map(([module, names]) => ({ module, used: names.filter(isUsed) }))
    .filter(({ used }) => used.length > 0)
    .map(({ module, used }) => `from ${module} import ${used.join(", ")}`);
  const local = fromSources.findIndex((line) => line.startsWith("from ."));
  return [
    "from __future__ import annotations",
    "",
    ...(/\bre\./.test(text) ? ["import re"] : []),
    ...fromSources.slice(0, local),
    "",
    ...fromSources.slice(local),
  ];
}
