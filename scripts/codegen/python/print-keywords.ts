import {
  ANNOTATIONS,
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../../src/schemas/keywords.js";

const LISTS = {
  ANNOTATIONS,
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} as const;

/** The keywords of JSON Schema by what they hold, as a Python module. */
export function printKeywords(): string {
  const lists = Object.entries(LISTS).map(
    ([name, keywords]) =>
      `${name} = frozenset(\n    {\n${keywords.map((each) => `        "${each}",\n`).join("")}    }\n)\n`,
  );
  return ['"""Keywords of draft 2020-12 by what they hold."""\n', ...lists].join("\n");
}
