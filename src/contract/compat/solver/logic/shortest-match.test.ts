import { expect, test } from "vitest";
import { findMatch } from "./shortest-match.js";

function find(request: Partial<Parameters<typeof findMatch>[0]>) {
  const found = findMatch({
    matching: [],
    notMatching: [],
    min: 0,
    max: Number.POSITIVE_INFINITY,
    excluded: new Set(),
    step: () => {},
    ...request,
  });
  return found.kind === "found" ? found.text : found.kind;
}

test.each([
  [{}, ""],
  [{ min: 2 }, "aa"],
  [{ excluded: new Set(["", "a"]) }, "b"],
  [{ max: 0, excluded: new Set([""]) }, "none"],
  [{ matching: ["^a|b$"] }, "a"],
  [{ matching: ["^a|b$"], notMatching: ["^a"] }, "b"],
  [{ matching: ["^[0-9]$"], notMatching: ["^[0-9]{1}$"] }, "none"],
  [{ matching: ["^[0-9a-f]{1,16}$"], notMatching: ["^[0-9a-f]{16}$"] }, "0"],
  [{ matching: ["^(?!test).*$"], notMatching: ["^[^t]"], min: 1 }, "t"],
  [{ matching: ["^(?!test).*$"], notMatching: ["^(?!test).*$"] }, "none"],
  [{ matching: ["^test", "^(?!test)"] }, "none"],
  [{ matching: ["\\bfoo\\b"], min: 4 }, "-foo"],
  [{ matching: ["\\bfoo\\b"], notMatching: ["(^|\\W)foo(\\W|$)"] }, "none"],
  [{ matching: ["^a(?=b).c$"] }, "abc"],
  [{ matching: ["^(a|b)\\1$"], notMatching: ["^[ab]{2}$"] }, "none"],
  [{ matching: ["^(a+)b\\1$"], notMatching: ["^a+ba+$"] }, "unknown"],
  [{ matching: ["(?<!x)y"], notMatching: ["^y"] }, "ay"],
  [{ matching: ["x{3}"], max: 2 }, "none"],
  [{ matching: ["a^b"] }, "none"],
  [{ matching: ["^$"], min: 1 }, "none"],
  [{ matching: ["^\\p{Lu}$"], notMatching: ["[A-Z]"] }, "À"],
])("%j: %s", (request, expected) => {
  expect(find(request)).toBe(expected);
});
