import { RawJson } from "./raw-json.js";

const rawJson = (text: string): RawJson => new RawJson(text);

/** Levels of nesting: more than the 1,000 of Python's recursion limit. What is deeper still is only slower. */
const DEEP = 1_200;

/** Values of every type, and those that implementations are known to judge differently. */
export const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, -1, 0.5, 1.5, "", "0", "1", "a\n", [], {}, [null], [{}]],
  ...["０123456789abcdef", "😀", "e\u0301", "\u2028"],
  ...["1.0", "0.0", "-0", "-0.0", "1e0", "1E2", "10e-1", "1e-400", "1e400", "-1e400"].map(rawJson),
  ...["9007199254740993", "1".repeat(309), "1".repeat(5000)].map(rawJson),
  ...['"\\ud800"', '"\\udc00\\ud800"'].map(rawJson),
  rawJson("[".repeat(DEEP) + "]".repeat(DEEP)),
];

/** Names of fields that nobody declares, some of which objects of a language have by themselves. */
export const ODD_KEYS: readonly string[] = [
  ...["extra", "__proto__", "constructor", "toString", "0", "", "a/b", "a~b", "__class__"],
];
