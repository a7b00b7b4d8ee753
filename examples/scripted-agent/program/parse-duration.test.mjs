import assert from "node:assert/strict";
import test from "node:test";
import { parseDuration } from "./parse-duration.mjs";

test("seconds", () => {
  assert.equal(parseDuration("90s"), 90_000);
});

test("minutes", () => {
  assert.equal(parseDuration("2m"), 120_000);
});

test("milliseconds are no minutes", () => {
  assert.equal(parseDuration("250ms"), 250);
});

test("several parts are added up", () => {
  assert.equal(parseDuration("1h 30m"), 5_400_000);
});

test("what is no duration is refused", () => {
  assert.throws(() => parseDuration("soon"), RangeError);
});
