import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Lock, LockedArtefact } from "#generated/index.js";
import { hashArtefact, LOCK_FILE, readLock } from "./lock.js";

const ARTEFACT: LockedArtefact = {
  kind: "schema",
  schema: "rollout-wire",
  version: "1.0.0",
  source: "schema/rollout-wire.schema.json",
  path: "src/rollout-wire.schema.json",
  hashes: hashArtefact("schema", "{}"),
};
const LOCK: Lock = {
  lock_version: "lock/v1",
  tool_version: "0.1.0",
  repository: "trace-pipeline",
  source: { repository: "rollout-wire", commit: "0".repeat(40) },
  artefacts: [ARTEFACT],
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-lock-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function read(lock: unknown): Lock {
  writeFileSync(join(folder, LOCK_FILE), JSON.stringify(lock));
  return readLock(folder);
}

test.each(["$(id)", "a b", "\u001b[31m"])("rejects the repository name %j", (repository) => {
  expect(() => read({ ...LOCK, repository })).toThrow("is not a valid repository name");
});

test("reads a valid lock", () => {
  expect(read(LOCK)).toEqual(LOCK);
});

test("throws if there is no lock", () => {
  expect(() => readLock(folder)).toThrow(/^rollout-wire\.lock\.json: no such file/);
});

test.each<[what: string, artefacts: readonly object[], message: string]>([
  ["no copies", [], "/artefacts must have at least 1 items, has 0"],
  [
    "a schema with the hash of its bytes alone",
    [{ ...ARTEFACT, hashes: hashArtefact("fixture", "{}") }],
    "/artefacts/0/hashes must have all three hashes of a schema",
  ],
  ["a copy twice", [ARTEFACT, ARTEFACT], "/artefacts/1/path is locked twice"],
  [
    "a copy outside of the repository",
    [{ ...ARTEFACT, path: "../schema.json" }],
    "/artefacts/0/path must match",
  ],
])("a lock of %s", (_what, artefacts, message) => {
  expect(() => read({ ...LOCK, artefacts })).toThrow(message);
});

test("a lock of another version", () => {
  expect(() => read({ ...LOCK, lock_version: "lock/v2" })).toThrow(
    'rollout-wire.lock.json /lock_version must be "lock/v1", is "lock/v2"',
  );
});
