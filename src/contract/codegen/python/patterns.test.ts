import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { translatePattern } from "./patterns.js";

const PATTERNS = [
  ...[
    "^a$",
    "^[0-9a-f]{16}$",
    "^.$",
    "^\\s+$",
    "^[\\s]$",
    "^\\S$",
    "\\d",
    "^\\w+$",
    "\\bfoo\\b",
    "\\Bo",
  ],
  ...[
    "^\\D$",
    "^\\W$",
    "^[^\\s]$",
    "^[&|~-]$",
    "^[a-z&&[]+$",
    "^[\\]\\[]$",
    "[]",
    "^[^]$",
    "a\\/b",
  ],
  ...[
    "^\\u{1F600}$",
    "^\\u0041$",
    "^\\x41$",
    "^[\\u{1F600}-\\u{1F64F}]$",
    "(?<year>\\d{4})-\\k<year>",
  ],
  ...[
    "(?<!a)b",
    "(?<=a)b",
    "(?=a)a",
    "(?!a)b",
    "(a)\\1",
    "a{2,}",
    "a{0}",
    "a+?b",
    "^$",
    "$",
    "^",
    "x*",
    "a|b",
  ],
  ...[
    "^\\0$",
    "^\\cJ$",
    "^\\p{L}$",
    "\\t\\n\\v\\f\\r",
    "^[\\b]$",
    "^(?:a|b)+$",
    "\\$",
    "\\^",
    "^\\.$",
    "#",
    " ",
  ],
  ...["^\\ud83d\\ude00$", "^\\u{000000001F600}$", "a{1,4294967296}", "(?<$y>a)", "[+--]"],
];

const TEXTS = [
  ...[
    "",
    "a",
    "a\n",
    "aa",
    "ab",
    "b",
    "foo",
    "foo bar",
    "food",
    "0",
    "٣",
    "é",
    "_",
    " ",
    "\u00a0",
    "\ufeff",
  ],
  ...[
    "\n",
    "\r",
    "\u2028",
    "\u0085",
    "\u001c",
    "\v",
    "\f",
    "\t",
    "😀",
    "A",
    "a/b",
    "2020-2020",
    "2020-2021",
  ],
  ...[
    "52cb6b5e4a038af1",
    "52cb6b5e4a038af1\n",
    "&",
    "&&",
    "|",
    "~",
    "-",
    "[",
    "]",
    "\0",
    "\b",
    "$",
    "^",
    ".",
    "#",
  ],
  ...["\t\n\v\f\r", "e\u0301", "\ud800"],
];

test("a translated pattern matches the same texts in Python, or is rejected with a reason", () => {
  const translated = PATTERNS.map((source) => ({ source, ...translatePattern(source) }));
  const accepted = translated.filter((each) => "pattern" in each);
  const program = `
import json, re, sys
patterns, texts = json.load(sys.stdin)
print(json.dumps([[re.compile(p, re.ASCII).search(t) is not None for t in texts] for p in patterns]))`;
  const input = JSON.stringify([accepted.map(({ pattern }) => pattern), TEXTS]);
  const inPython: boolean[][] = JSON.parse(
    execFileSync("python3", ["-c", program], { input, encoding: "utf8" }),
  );
  for (const [index, { source }] of accepted.entries()) {
    const expected = TEXTS.map((text) => new RegExp(source, "u").test(text));
    expect({ source, matches: inPython[index] }).toEqual({ source, matches: expected });
  }
  const refused = translated.filter((each) => "refused" in each).map(({ source }) => source);
  expect(refused).toEqual([
    ...["\\Bo", "(?<year>\\d{4})-\\k<year>", "(?<!a)b", "(?<=a)b", "(a)\\1", "^\\cJ$", "^\\p{L}$"],
    ...["^\\ud83d\\ude00$", "^\\u{000000001F600}$", "a{1,4294967296}", "(?<$y>a)", "[+--]"],
  ]);
});
