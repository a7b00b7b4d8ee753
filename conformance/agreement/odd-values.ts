import { RawJson } from "./raw-json.js";

const rawJson = (text: string): RawJson => new RawJson(text);

/** Levels of nesting: more than the 1,000 of Python's recursion limit. What is deeper still is only slower. */
const DEEP = 1_200;

/** What is put into records to see whether implementations agree on it. */
export interface Oddities {
  readonly values: readonly unknown[];
  /** Names of fields that nobody declares. */
  readonly keys: readonly string[];
}

/** Values of every type. */
export const PLAIN: Oddities = {
  values: [null, true, 0, -1, 0.5, "", "a\n", [], {}, [null]],
  keys: ["extra", "__proto__"],
};

/** With those that implementations are known to judge differently, and names that objects of a language have. */
export const ODD: Oddities = {
  values: [
    ...PLAIN.values,
    ...[false, 1, 2, 1.5, "0", "1", [{}]],
    ...["０123456789abcdef", "😀", "e\u0301", "\u2028"],
    ...["1.0", "0.0", "-0", "-0.0", "1e0", "1E2", "10e-1", "1e-400", "1e400", "-1e400"].map(
      rawJson,
    ),
    ...["9007199254740993", "1".repeat(309), "1".repeat(5000)].map(rawJson),
    ...['"\\ud800"', '"\\udc00\\ud800"'].map(rawJson),
    rawJson("[".repeat(DEEP) + "]".repeat(DEEP)),
  ],
  keys: [...PLAIN.keys, ...["constructor", "toString", "0", "", "a/b", "a~b", "__class__"]],
};
