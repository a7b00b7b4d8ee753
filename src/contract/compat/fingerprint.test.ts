import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type FindingIdentity, fingerprintOf } from "./fingerprint.js";

const IDENTITY: FindingIdentity = {
  rule: "required",
  pointer: "/$defs/A",
  lens: "validate",
  direction: "backward",
  schema: "https://example.org/a/v1",
  contract: { old: [], new: ['["b"]'] },
};

test("a fingerprint is the first digits of the SHA-256 of the canonical form", () => {
  const canonical =
    '{"direction":"backward","lens":"validate","new":["[\\"b\\"]"],"old":[],"pointer":"/$defs/A","rule":"required","schema":"https://example.org/a/v1"}';
  const digits = createHash("sha256").update(canonical).digest("hex");
  expect(fingerprintOf(IDENTITY)).toBe(digits.slice(0, 16));
});

test("the message of a finding does not affect its fingerprint", () => {
  expect(fingerprintOf({ ...IDENTITY, message: "reworded" } as FindingIdentity)).toBe(
    fingerprintOf(IDENTITY),
  );
});

test.each<Partial<FindingIdentity>>([
  { rule: "type" },
  { pointer: "/$defs/B" },
  { lens: "typescript" },
  { direction: "forward" },
  { schema: "https://example.org/a/v2" },
  { contract: { old: [], new: ['["b","c"]'] } },
])("%j gives another fingerprint", (other) => {
  expect(fingerprintOf({ ...IDENTITY, ...other })).not.toBe(fingerprintOf(IDENTITY));
});
