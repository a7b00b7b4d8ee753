import { afterEach, beforeEach, expect, test } from "vitest";
import { readChanges } from "../../conformance/versions/changes.js";
import { SmallRepository } from "../../conformance/versions/testing/small-repository.js";
import { toRelease } from "./plan.js";

let repository: SmallRepository;
beforeEach(() => {
  repository = new SmallRepository();
});
afterEach(() => repository.remove());

const A = { A: { type: "string" } };
const WIDER = { A: { type: ["string", "null"] } };

function plan(approved: readonly string[] = []): unknown {
  const [change] = readChanges(repository.root, repository.registry);
  const release = change && toRelease(change, new Set(approved));
  return release && [release.bump, release.version, release.file];
}

test.each([
  ["1.1.0", "minor", "1.1.0", "v1.1"],
  ["2.0.0", "major", "2.0.0", "v2"],
  // If the version is too low, the lowest sufficient one is planned.
  ["1.0.0", "minor", "1.1.0", "v1.1"],
  ["1.0.1", "minor", "1.1.0", "v1.1"],
  ["1.3.0", "minor", "1.1.0", "v1.1"],
])("a minor change called %s: %s, %s", (called, bump, version, file) => {
  repository.publish("1.0.0", A).present(called, WIDER);
  expect(plan()).toEqual([bump, version, `schema/released/thing/${file}.schema.json`]);
});

test("an approved one may be less", () => {
  repository.publish("1.0.0", A).present("1.0.1", WIDER);
  const [change] = readChanges(repository.root, repository.registry);
  const fingerprints = change?.breaks.map(({ fingerprint }) => fingerprint) ?? [];
  expect(plan(fingerprints)).toEqual([
    "patch",
    "1.0.1",
    "schema/released/thing/v1.0.1.schema.json",
  ]);
});

test("the first version", () => {
  repository.present("1.0.0", A);
  expect(plan()).toEqual(["first", "1.0.0", "schema/released/thing/v1.schema.json"]);
});

test("no release of an unchanged schema", () => {
  repository.publish("1.0.0", A).present("1.0.0", A);
  expect(plan()).toBeUndefined();
});
