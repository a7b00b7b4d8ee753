import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Artefact } from "#generated/index.js";
import { listArtefacts } from "./artefacts.js";

const ARTEFACT: Artefact = {
  kind: "generated",
  schema: "rollout-wire",
  version: "1.0.0",
  source: "generated/python",
  path: "src/rollout_wire",
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-artefacts-"));
  for (const file of ["b.py", "a/c.py", "__pycache__/b.pyc", "a/__pycache__/c.pyc"]) {
    const path = join(root, "generated/python", file);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "");
  }
});

afterEach(() => rmSync(root, { recursive: true }));

test("a folder stands for every file in it, except compiled Python modules", () => {
  expect(listArtefacts(root, ARTEFACT)).toEqual([
    { ...ARTEFACT, source: "generated/python/a/c.py", path: "src/rollout_wire/a/c.py" },
    { ...ARTEFACT, source: "generated/python/b.py", path: "src/rollout_wire/b.py" },
  ]);
});

test("a file stands for itself", () => {
  const file = { ...ARTEFACT, source: "generated/python/b.py", path: "b.py" };
  expect(listArtefacts(root, file)).toEqual([file]);
});

test("a missing source gives no files", () => {
  expect(listArtefacts(root, { ...ARTEFACT, source: "generated/pyhton" })).toEqual([]);
});
