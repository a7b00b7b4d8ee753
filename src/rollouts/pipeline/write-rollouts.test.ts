import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { SILENT } from "../../base/run/progress.js";
import { type LinesOutcome, type LinesRequest, runLines } from "../../base/run/run-lines.js";
import { UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { profiles } from "../wire/validation/profiles.js";
import { toLines } from "./testing/block-of.js";
import { exportPlan } from "./testing/export-plan.js";
import { type RolloutOutputs, type WrittenRollouts, writeRollouts } from "./write-rollouts.js";

let folder = "";
let cwd = "";
const tmp = process.env.TMPDIR;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-write-"));
  cwd = join(folder, "work");
  mkdirSync(cwd);
  mkdirSync(join(folder, "tmp"));
  process.env.TMPDIR = join(folder, "tmp");
  for (const name of ["dpo", "ppo"]) writeFileSync(join(cwd, name), `former ${name}`);
});
afterEach(() => {
  if (tmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = tmp;
  // No temporary file remains, whatever happens.
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  expect(readdirSync(cwd).filter((name) => name.startsWith("."))).toEqual([]);
  rmSync(folder, { recursive: true });
});

const branch = (rollout_id: string, branch_index = 0, fields: Partial<RolloutBranchRecord> = {}) =>
  createBranch({ rollout_id, branch_index, rank: branch_index + 1, ...fields });

async function write(
  text: string,
  request: Partial<LinesRequest & Pick<RolloutOutputs, "hashes">> = {},
  stdin = "",
): Promise<WrittenRollouts & LinesOutcome> {
  writeFileSync(join(cwd, "in"), text);
  const { hashes = false, ...lines } = request;
  const all = {
    files: ["in"],
    limits: { maxErrors: 10 },
    severities: profiles.strict,
    workers: 1,
    ...lines,
  };
  return await runLines(all, { cwd, stdin: Readable.from([stdin]) }, async (run) => {
    const outputs = (await run.lock(["dpo", "ppo"])).map((path) => ({ path }));
    const { builder } = exportPlan;
    const result = await writeRollouts(run, all, { builder, outputs, hashes });
    return { result, leftOut: result.receiver.leftOut };
  });
}

function read(name: string): string {
  return readFileSync(join(cwd, name), "utf8");
}

describe("outputs are written atomically", () => {
  test("for valid rollouts", async () => {
    const { written, findings, outputs } = await write(toLines([branch("a"), branch("b")]));
    expect([written, findings.records, outputs.map(({ records }) => records)]).toEqual([
      true,
      2,
      [0, 2],
    ]);
    expect(read("dpo")).toBe("");
    expect(read("ppo").split("\n")).toHaveLength(3);
  });

  test.each([
    ["an invalid line", `${toLines([branch("a")])}NaN\n`],
    ["an invalid rollout", toLines([branch("a"), branch("a", 0, { rank: 2 })])],
    ["no line", ""],
  ])("none of %s", async (_, text) => {
    const { written, findings } = await write(text);
    expect([written, findings.errors]).toEqual([false, 1]);
    expect([read("dpo"), read("ppo")]).toEqual(["former dpo", "former ppo"]);
  });
});

describe("omitted with skipInvalid", () => {
  const twins = [branch("twins"), branch("twins", 0, { rank: 2 })];

  test("lines and rollouts with their reasons, lines first", async () => {
    const text = `${toLines([...twins, branch("a")])}NaN\n`;
    const { written, findings, receiver } = await write(text, {
      skipInvalid: true,
      rejects: "rejects",
    });
    expect([written, findings.errors, findings.warnings]).toEqual([true, 0, 2]);
    expect([receiver.rejected, receiver.counts.faulty]).toEqual([1, { rollouts: 1, branches: 2 }]);
    const rejects = read("rejects").trimEnd().split("\n");
    expect(rejects.map((line) => JSON.parse(line).line)).toEqual([4, 1, 2]);
  });

  test("an empty output is an error, whether lines or rollouts were omitted", async () => {
    for (const text of ["NaN\n", toLines(twins), `${toLines(twins)}NaN\n`]) {
      const { written, findings } = await write(text, { skipInvalid: true });
      expect(written).toBe(false);
      expect(findings.toReport("export").findings.at(-1)).toMatchObject({
        id: "no-records",
        severity: "error",
        message: "contains no valid records: all were skipped",
      });
    }
    expect(read("ppo")).toBe("former ppo");
  });
});

test("inputs are counted, and hashed on request, as stored", async () => {
  const text = toLines([branch("a")]);
  const stdin = toLines([branch("b")]);
  const plain = await write(text, { files: ["in", "-"] }, stdin);
  expect(plain.inputs).toEqual([
    { file: "in", bytes: text.length, hash: undefined },
    { file: "<stdin>", bytes: stdin.length, hash: undefined },
  ]);
  const hashed = await write(text, { hashes: true });
  expect(hashed.inputs[0]?.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("progress is reported in stored bytes", async () => {
  const seen: number[] = [];
  const text = toLines([branch("a"), branch("b")]);
  await write(text, {
    startProgress: async () => ({ ...SILENT, read: (bytes) => seen.push(bytes) }),
  });
  expect(seen.reduce((sum, bytes) => sum + bytes, 0)).toBe(text.length);
});

test.runIf(process.platform === "linux")("an unreadable file leaves no file open", async () => {
  const before = readdirSync("/proc/self/fd").length;
  for (const files of [["none"], ["in", "none"], ["tmp"]]) {
    mkdirSync(join(cwd, "tmp"), { recursive: true });
    await expect(write(toLines([branch("a")]), { files })).rejects.toThrow(UserError);
  }
  // No folder can be made where a file is.
  const rejects = "in/rejects";
  await expect(write("NaN\n", { skipInvalid: true, rejects })).rejects.toThrow(UserError);
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
