import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportFiles } from "../../../src/cli/export/export.js";
import type { ExportRequest } from "../../../src/cli/export/request.js";
import { inputKinds, writeJsonl } from "../input-branches.js";

const BRANCHES = 800;
const PEER = join(import.meta.dirname, "export_records.py");

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-peer-"));
  for (const side of ["ours", "theirs"]) mkdirSync(join(folder, side));
  for (const id of ["rollouts-shuffled", "eval-items"] as const) {
    writeJsonl(join(folder, id), inputKinds[id].records(BRANCHES));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function read(side: string, file: string): unknown[] {
  const lines = readFileSync(join(folder, side, file), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function exportBoth(
  request: Pick<ExportRequest, "target" | "evalItems">,
  args: readonly string[],
): Promise<void> {
  const input = join(folder, "rollouts-shuffled");
  const destination = {
    dpo: join(folder, "ours/dpo.jsonl"),
    ppo: join(folder, "ours/ppo.jsonl"),
    sft: join(folder, "ours/sft.jsonl"),
  };
  const outcome = await exportFiles(
    {
      ...request,
      inputs: [input],
      exportedAtMs: 1_700_000_000_000,
      dropContaminated: true,
      destination,
      workers: 1,
      maxErrors: 1,
    },
    { stdin: process.stdin, cwd: folder },
  );
  expect(outcome.written).toBe(true);
  execFileSync("python3", [PEER, ...args, input, join(folder, "theirs")]);
}

function expectSame(file: string): void {
  const ours = read("ours", file);
  expect(ours.length).toBeGreaterThan(0);
  expect(read("theirs", file)).toEqual(ours);
}

test("Layer 2: the peer writes the same records as the export", async () => {
  await exportBoth({ target: "wire", evalItems: undefined }, ["--layer", "2"]);
  expectSame("dpo.jsonl");
  expectSame("ppo.jsonl");
  expect(read("ours", "ppo.jsonl")).toHaveLength(BRANCHES);
});

test("Layer 3 with G3: the same records, and the same rollouts are left out", async () => {
  const evalItems = join(folder, "eval-items");
  await exportBoth({ target: "training", evalItems }, ["--layer", "3", "--eval-items", evalItems]);
  expectSame("dpo.jsonl");
  expectSame("ppo.jsonl");
  expect(read("ours", "ppo.jsonl").length).toBeLessThan(BRANCHES);
});
