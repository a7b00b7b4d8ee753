import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject } from "../../../src/base/json/value.js";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { exportFiles } from "../../../src/rollouts/pipeline/export/export.js";
import type { TargetId } from "../../../src/rollouts/wire/export/targets/index.js";
import { inputKinds, writeJsonl } from "../input-branches.js";

const BRANCHES = 400;
const PEER = join(import.meta.dirname, "export_records.py");
const DUCKDB = join(import.meta.dirname, "export_duckdb.py");
const INPUTS = ["rollouts-shuffled", "mixed-shuffled"] as const;
const LIBRARIES = ["json", "orjson"];

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-peer-"));
  for (const side of ["ours", "duckdb", ...LIBRARIES]) mkdirSync(join(folder, side));
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

const FILES = ["dpo.jsonl", "ppo.jsonl"];

interface PeerRequest {
  readonly target: TargetId;
  readonly evalItems: string | undefined;
}

/** Exports an input with `exportFiles`. */
async function exportOurs(
  id: (typeof INPUTS)[number],
  { target, evalItems }: PeerRequest,
): Promise<void> {
  const records = {
    dpo: join(folder, "ours/dpo.jsonl"),
    ppo: join(folder, "ours/ppo.jsonl"),
    sft: join(folder, "ours/sft.jsonl"),
  };
  const outcome = await exportFiles(
    {
      files: [join(folder, id)],
      workers: 1,
      limits: { maxErrors: 1 },
    },
    {
      target,
      options: { exportedAtMs: 1_700_000_000_000 },
      ...(evalItems !== undefined && { gate: { set: { items: evalItems }, drop: true } }),
    },
    { records },
    { stdin: process.stdin, cwd: folder },
  );
  expect(outcome.written).toBe(true);
  for (const file of FILES) expect(read("ours", file).length).toBeGreaterThan(BRANCHES / 20);
}

/** Exports the same input with the script, and expects the same records in the same order. */
function expectSameOfScript(id: (typeof INPUTS)[number], { target, evalItems }: PeerRequest): void {
  const g3 = evalItems === undefined ? [] : ["--eval-items", evalItems];
  for (const library of LIBRARIES) {
    const paths = [join(folder, id), join(folder, library)];
    execFileSync("python3", [PEER, "--json", library, "--target", target, ...g3, ...paths]);
    for (const file of FILES) expect(read(library, file)).toEqual(read("ours", file));
  }
}

/** Records by rollout, those of a rollout in the order of the file. */
function byRollout(records: readonly unknown[]): unknown[] {
  return records.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

function idOf(record: unknown): string {
  if (isJsonObject(record) && isJsonObject(record.provenance)) {
    const { rollout_id: id } = record.provenance;
    if (typeof id === "string") return id;
  }
  throw new TypeError(`not an exported record: ${JSON.stringify(record)}`);
}

describe.each(sampleCases(INPUTS, 1))(
  "the peers write the same records as the export: %s",
  (id) => {
    test.each(["wire", "training", "trl"] as const)("%s", async (target) => {
      const request = { target, evalItems: undefined };
      await exportOurs(id, request);
      expectSameOfScript(id, request);
      expect(read("ours", "ppo.jsonl")).toHaveLength(BRANCHES);
    });

    test("training with G3, which leaves out the same rollouts", async () => {
      const request = { target: "training", evalItems: join(folder, "eval-items") } as const;
      await exportOurs(id, request);
      expectSameOfScript(id, request);
      expect(read("ours", "ppo.jsonl").length).toBeLessThan(BRANCHES);
    });

    test("wire in DuckDB", async () => {
      await exportOurs(id, { target: "wire", evalItems: undefined });
      execFileSync("python3", [DUCKDB, join(folder, id), join(folder, "duckdb")]);
      for (const file of FILES) {
        expect(read("duckdb", file)).toEqual(byRollout(read("ours", file)));
      }
    });
  },
);
