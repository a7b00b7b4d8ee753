import { fullFormats } from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCheckOf } from "./formats.js";

const URIS = [
  ...[
    "http://a.b/c?d#e",
    "urn:x:y",
    "mailto:a@b.c",
    "http://[::1]:80/",
    "http://[v1.a]/",
    "a:",
    "a://",
  ],
  ...["A:b", "http://u:p@h:1/%41", "a:/b", "a:?q", "a:#f", "//h/p", "1a:b", "a+b-c.d:e", "x:/a//b"],
  ...["http://1.2.3.256/", "x://[1:2:3:4:5:6:7:8]", "x://[::1.2.3.4]/a", "x:a/b:c@d"],
];
const CHARACTERS = [..."ab:/?#[]@!$&'()*+,;=%41\u00e9 \"<>\\^`{|}~-._vV09\n"];

const edit = fc.record({
  at: fc.nat(25),
  removed: fc.nat(2),
  added: fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 2 }),
});
const text = fc
  .tuple(fc.constantFrom(...URIS), fc.array(edit, { maxLength: 4 }))
  .map(([uri, edits]) =>
    edits.reduce(
      (now, { at, removed, added }) => now.slice(0, at) + added + now.slice(at + removed),
      uri,
    ),
  );

test("uri is one pattern, with the verdicts of the function of ajv-formats", () => {
  const pattern = formatCheckOf("uri");
  if (!(pattern instanceof RegExp)) throw new Error("uri has no pattern");
  const judge = fullFormats.uri as (text: string) => boolean;
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(text, (uri) => {
      const isUri = judge(uri);
      seen[`${isUri}`] += 1;
      expect([uri, pattern.test(uri)]).toEqual([uri, isUri]);
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(500);
});
