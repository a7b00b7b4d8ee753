import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../../../../base/testing/run-count.js";
import { costOfMatch } from "./match-cost.js";
import { matchesPattern, patternAutomaton } from "./patterns.js";

/** Patterns with nested assertions of all kinds. */
const arbitraryPattern = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie("pattern");
  const group = (open: string, close: string) =>
    inner.map((pattern) => `${open}${pattern}${close}`);
  const part = fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", ".", "[^a]", "^", "$", "\\b", "\\B", "-", "a*", "b?"),
    group("(?=", ")"),
    group("(?!", ")"),
    group("(?<=", ")"),
    group("(?<!", ")"),
    group("(?:", ")*"),
    fc.tuple(inner, inner).map(([one, other]) => `(?:${one}|${other})`),
  );
  return { pattern: fc.array(part, { maxLength: 3 }).map((parts) => parts.join("")) };
}).pattern;

const texts = [""];
for (const text of texts) {
  if (text.length < 4) texts.push(...["a", "b", "-", "\n"].map((character) => text + character));
}

test("an automaton recognises what RegExp matches, including assertions", () => {
  let made = 0;
  const numRuns = runCount(300);
  fc.assert(
    fc.property(arbitraryPattern, (pattern) => {
      const automaton = patternAutomaton(pattern);
      if (automaton === undefined) return;
      made += 1;
      const expression = new RegExp(pattern, "u");
      const wrong = texts.find(
        (text) =>
          automaton.test([...text].map((each) => each.charCodeAt(0))) !== expression.test(text),
      );
      expect(wrong).toBeUndefined();
    }),
    { seed: 1, numRuns },
  );
  expect(made).toBeGreaterThan(numRuns * 0.9);
});

/** Patterns on which a backtracking matcher takes forever, with a text on which it does, and whether that matches. */
const EXPONENTIAL = [
  ["^(a?){60}a{60}$", "a".repeat(55), false],
  ["^(a+)+$", `${"a".repeat(60)}!`, false],
  ["(a|a)*b", "a".repeat(60), false],
  ["^((a*)*)*b", "a".repeat(60), false],
  ["^(\\p{L}|\\w)+$", `${"é".repeat(30)}${"a".repeat(60)}!`, false],
  ["^(?=(a|aa)+$)", `${"a".repeat(60)}b`, false],
  ["(?<=^(a|aa)*)b", `c${"a".repeat(60)}b`, false],
  ["(a|aa)+(?!a)$", `${"a".repeat(60)}\n`, false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60), false],
  ["^(a+?)+?(b+?)+?$", `${"a".repeat(60)}${"b".repeat(60)}`, true],
] as const;

describe("exponential patterns", () => {
  test.each(EXPONENTIAL)("%s is matched by its automaton", (pattern, text, isMatch) => {
    expect(costOfMatch(pattern, "ab", 10_000)).toBeLessThan(10_000);
    expect(matchesPattern(pattern, text)).toBe(isMatch);
  });

  test("a back reference has no automaton, so such a match is given up", () => {
    expect(matchesPattern("^(a+)\\1$", "aaaa")).toBe(true);
    expect(() => matchesPattern("^(a+)+\\1b$", "a".repeat(60))).toThrow(
      'the pattern "^(a+)+\\\\1b$" takes too long to match: simplify it',
    );
  });

  test.each([
    "^a{100000}$",
    "^(a{1000}){1000}$",
    "(a|b)*a(a|b){30}$",
    "^(\\p{L}{0,50}\\p{N}{0,50}){0,50}$",
    `^(${Array.from({ length: 3000 }, (_, index) => `w${index}`).join("|")})$`,
    "a".repeat(50_000),
  ])("a large pattern is given up or decided", (pattern) => {
    const steps: number[] = [];
    for (const text of ["a", "a".repeat(200), `${"a1".repeat(100)}!`]) {
      try {
        matchesPattern(pattern, text, (cost) => steps.push(cost));
      } catch (error) {
        expect(String(error)).toMatch(/takes too long to match/);
      }
    }
    expect(steps.length).toBe(3);
    expect(Math.max(...steps)).toBeLessThan(1000);
  });
});

test("a match is decided as RegExp decides it, and its cost is counted", () => {
  let counted = 0;
  const numRuns = runCount(300);
  fc.assert(
    fc.property(arbitraryPattern, (pattern) => {
      const expression = new RegExp(pattern, "u");
      for (const text of texts) {
        if (costOfMatch(pattern, text, 100_000) !== undefined) counted += 1;
        expect(matchesPattern(pattern, text)).toBe(expression.test(text));
      }
    }),
    { seed: 2, numRuns },
  );
  expect(counted).toBeGreaterThan(numRuns * texts.length * 0.99);
});
