import type { Detector, Span } from "./detector.js";

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Longest key that is taken to its end, in characters: one of 16,384 bits has 13,000. */
const MAX_LENGTH = 20_000;
/** A line of a key whose end was cut off. Line ends may be escaped, once or several times. */
const LINE = /(?:\s|\\{1,8}[nr]){0,8}[A-Za-z0-9+/=]{16,1000}/y;

/** PEM and OpenPGP blocks, cut off ones too. */
export const privateKey: Detector = {
  id: "private-key",
  purpose: "a private key in a PEM or OpenPGP block, line ends escaped or not",
  certain: true,
  reach: MAX_LENGTH + 64,
  mayFind: (text) => text.includes("-----BEGIN "),
  find(text) {
    const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length);
    const spans: Span[] = [];
    let at = 0;
    for (const match of text.matchAll(BEGIN)) {
      const start = match.index;
      if (start < (spans.at(-1)?.end ?? 0)) continue;
      const bodyStart = start + match[0].length;
      while ((ends[at] ?? Number.POSITIVE_INFINITY) < bodyStart) at += 1;
      const whole = ends[at] ?? Number.POSITIVE_INFINITY;
      const end = whole - start <= MAX_LENGTH ? whole : endOfLines(text, bodyStart);
      // A program that looks for the marker holds no key.
      if (end > bodyStart) spans.push({ start, end });
    }
    return spans;
  },
};

function endOfLines(text: string, start: number): number {
  let end = start;
  for (LINE.lastIndex = end; LINE.test(text); LINE.lastIndex = end) end = LINE.lastIndex;
  return end;
}
