import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../../testing/run-count.js";
import { patternAutomaton } from "./patterns.js";

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
