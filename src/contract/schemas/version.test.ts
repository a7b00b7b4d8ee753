import { expect, test } from "vitest";
import {
  BUMPS,
  type Bump,
  bumpBetween,
  compareVersionNumbers,
  covers,
  isLater,
  parseVersion,
  printVersion,
  raiseVersion,
} from "./version.js";

test.each([
  ["1", "1.0.0"],
  ["1.2", "1.2.0"],
  ["1.2.3", "1.2.3"],
])("%s is %s", (text, whole) => {
  expect(printVersion(parseVersion(text))).toBe(whole);
});

test.each(["", "v1", "1.", "1.2.3.4", "1.x"])("%j is not a version", (text) => {
  expect(() => parseVersion(text)).toThrow(RangeError);
});

test.each<[Bump, string]>([
  ["none", "1.2.3"],
  ["patch", "1.2.4"],
  ["minor", "1.3.0"],
  ["major", "2.0.0"],
])("%s raises 1.2.3 to %s, and back", (bump, raised) => {
  expect(printVersion(raiseVersion(parseVersion("1.2.3"), bump))).toBe(raised);
  expect(bumpBetween(parseVersion("1.2.3"), parseVersion(raised))).toBe(bump);
});

test.each(["1.2.2", "1.2.5", "1.3.1", "1.4.0", "2.1.0", "3.0.0"])("%s does not follow", (next) => {
  expect(bumpBetween(parseVersion("1.2.3"), parseVersion(next))).toBeUndefined();
});

test("versions are ordered by number, not by text", () => {
  const texts = ["10.0.0", "2.0.0", "1.10.0", "1.9.9", "1.9.10"];
  const sorted = texts.map(parseVersion).sort(compareVersionNumbers).map(printVersion);
  expect(sorted).toEqual(["1.9.9", "1.9.10", "1.10.0", "2.0.0", "10.0.0"]);
});

test("a bump covers itself and smaller ones", () => {
  expect(BUMPS.map((bump) => covers("minor", bump))).toEqual([true, true, true, false]);
});

test.each<[one: string, other: string, later: boolean]>([
  ["1.10.0", "1.9.0", true],
  ["1.9.0", "1.10.0", false],
  ["1.0.0", "1.0.0", false],
  ["1.0.0-rc.1", "1.0.0", false],
  ["1.0.1-rc.1", "1.0.0", true],
  ["next", "1.0.0", false],
])("%s after %s: %s", (one, other, later) => {
  expect(isLater(one, other)).toBe(later);
});
