import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportFiles } from "../../../src/cli/export/export.js";
import type { ExportRequest } from "../../../src/cli/export/request.js";
import { inputKinds, writeJsonl } from "../input-branches.js";

const BRANCHES = 800;
const PEER = join(import.meta.dirname, "export_records.py");
const INPUTS = ["rollouts-shuffled", "mixed-shuffled"] as const;
const LIBRARIES = ["json", "orjson"];

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-peer-"));
  for (const side of ["ours", ...LIBRARIES]) mkdirSync(join(folder, side));
  for (const id of [...INPUTS, "eval-items"] as const) {
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

/** Exports an input with `exportFiles` and with the script, and expects the same records. */
async function expectSameRecords(
  id: (typeof INPUTS)[number],
  request: Pick<ExportRequest, "target" | "evalItems">,
): Promise<void> {
  const input = join(folder, id);
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
  const { target, evalItems } = request;
  const g3 = evalItems === undefined ? [] : ["--eval-items", evalItems];
  for (const library of LIBRARIES) {
    const args = ["--json", library, "--target", target, ...g3, input, join(folder, library)];
    execFileSync("python3", [PEER, ...args]);
    for (const file of ["dpo.jsonl", "ppo.jsonl"]) {
      const ours = read("ours", file);
      expect(ours.length).toBeGreaterThan(BRANCHES / 20);
      expect(read(library, file)).toEqual(ours);
    }
  }
}

describe.each(INPUTS)("the peer writes the same records as the export: %s", (id) => {
  test.each(["wire", "training", "trl"] as const)("%s", async (target) => {
    await expectSameRecords(id, { target, evalItems: undefined });
    expect(read("ours", "ppo.jsonl")).toHaveLength(BRANCHES);
  });

  test("training with G3, which leaves out the same rollouts", async () => {
    await expectSameRecords(id, { target: "training", evalItems: join(folder, "eval-items") });
    expect(read("ours", "ppo.jsonl").length).toBeLessThan(BRANCHES);
  });
});
