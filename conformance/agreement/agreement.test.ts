import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pythonAdapter, typescriptAdapter } from "./adapters.js";
import { createCorpus } from "./create-corpus.js";
import { findDisagreements } from "./find-disagreements.js";
import { readSeeds } from "./read-seeds.js";
import { runAdapter } from "./run-adapter.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("TypeScript and Python give the same verdict and the same faults on 12,000 records", async () => {
  const requests = createCorpus(readSeeds(root), 12_000, 20_261_120);
  const [typescript, python] = await Promise.all([
    runAdapter(typescriptAdapter, requests),
    runAdapter(pythonAdapter, requests),
  ]);
  const disagreements = findDisagreements(requests, typescript, python);
  const valid = typescript.filter((verdict) => verdict.valid).length;
  process.stderr.write(
    `agreement: ${requests.length} records (${valid} valid), ${disagreements.length} disagreements\n`,
  );
  expect(disagreements.slice(0, 5)).toEqual([]);
  expect(valid).toBeGreaterThan(1_000);
  expect(requests.length - valid).toBeGreaterThan(1_000);
});

test("a Python package that forgot one check is found out, with the record", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-lenient-"));
  try {
    cpSync(join(root, "generated/python"), folder, { recursive: true });
    const file = join(folder, "rollout_wire/rollout_wire.py");
    const lenient = readFileSync(file, "utf8").replaceAll("or _rank < 1", "or _rank < 0");
    writeFileSync(file, lenient);
    const requests = createCorpus(readSeeds(root), 4_000, 1);
    const adapter = { ...pythonAdapter, env: { ...pythonAdapter.env, PYTHONPATH: folder } };
    const [typescript, python] = await Promise.all([
      runAdapter(typescriptAdapter, requests),
      runAdapter(adapter, requests),
    ]);
    const [first] = findDisagreements(requests, typescript, python);
    expect(first?.left.errors).toEqual([{ pointer: "/rank", keyword: "minimum" }]);
    expect(first?.right.valid).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
