import { describe, expect, test } from "vitest";
import { samples } from "../testing/token-samples.js";
import { type TokenId, tokens } from "./tokens.js";

/** Text around a key in prompts, code, URLs and truncated JSON. */
const SURROUNDINGS: readonly (readonly [string, string])[] = [
  ["", ""],
  ["the key is ", ", see above"],
  ['{"k": "', '"}'],
  [String.raw`{\"k\": \"line\n`, String.raw`\"}`],
  ["curl 'https://api.example/v1?k%3D", "'"],
  ["KEY=", "\n"],
];

const entries = Object.entries(samples);
const hits = entries.flatMap(([id, each]) => each.hits.map((text) => [id, text] as const));
const misses = entries.flatMap(([id, each]) => each.misses.map((text) => [id, text] as const));

/** The texts found by the detectors with an id. */
function find(id: string, text: string): string[] {
  return tokens
    .filter((detector) => detector.id === id)
    .flatMap((detector) => detector.find(text))
    .map(({ start, end }) => text.slice(start, end));
}

test("every form has a sample", () => {
  expect([...new Set(tokens.map(({ id }) => id))].toSorted()).toEqual(
    Object.keys(samples).toSorted(),
  );
  for (const detector of tokens) {
    const own = isTokenId(detector.id) ? samples[detector.id].hits : [];
    expect([detector.id, own.some((text) => detector.find(text).length > 0)]).toEqual([
      detector.id,
      true,
    ]);
  }
});

describe.each(SURROUNDINGS)("between %j and %j", (before, behind) => {
  test.each(hits)("%s: %s is found whole", (id, text) => {
    expect(find(id, before + text + behind)).toEqual([text]);
    expect(tokens.every(({ mayFind }) => mayFind(before + text + behind))).toBe(true);
  });
});

test.each(misses)("%s: %s is not found", (id, text) => {
  for (const [before, behind] of SURROUNDINGS) expect(find(id, before + text + behind)).toEqual([]);
});

function isTokenId(id: string): id is TokenId {
  return Object.hasOwn(samples, id);
}
