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
