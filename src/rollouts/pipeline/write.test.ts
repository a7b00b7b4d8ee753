import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { SILENT } from "../../base/run/staged-run.js";
import { UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { profiles } from "../wire/validation/profiles.js";
import { toLines } from "./testing/block-of.js";
import { exportPlan } from "./testing/export-plan.js";
import { type WriteRolloutsRequest, writeRollouts } from "./write.js";

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

async function write(text: string, request: Partial<WriteRolloutsRequest> = {}, stdin = "") {
  writeFileSync(join(cwd, "in"), text);
  return await writeRollouts(
    {
      files: ["in"],
      builder: exportPlan.builder,
      outputs: [{ path: join(cwd, "dpo") }, { path: join(cwd, "ppo") }],
      limits: { maxErrors: 10 },
      severities: profiles.strict,
      workers: 1,
      skipInvalid: false,
      ...request,
    },
    { cwd, stdin: Readable.from([stdin]) },
  );
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

  test("not at all if an accompanying file cannot be created", async () => {
    const bug = new Error("no report");
    const onComplete = async () => {
      throw bug;
    };
    await expect(write(toLines([branch("a")]), { onComplete })).rejects.toBe(bug);
    expect([read("dpo"), read("ppo")]).toEqual(["former dpo", "former ppo"]);
  });

  test("accompanying files are committed together with them", async () => {
    await write(toLines([branch("a")]), {
      async onComplete(staging, { written, outputs }) {
        const report = await staging.open(join(cwd, "report"));
        await report.write(`${written} ${outputs.map(({ records }) => records).join()}`);
        expect(read("dpo")).toBe("former dpo");
      },
    });
    expect([read("report"), read("dpo")]).toEqual(["true 0,1", ""]);
  });
});

describe("omitted with skipInvalid", () => {
  const twins = [branch("twins"), branch("twins", 0, { rank: 2 })];

  test("lines and rollouts with their reasons, lines first", async () => {
    const text = `${toLines([...twins, branch("a")])}NaN\n`;
    const { written, findings, receiver } = await write(text, {
      skipInvalid: true,
      rejects: join(cwd, "rejects"),
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
  await write(text, { progress: { ...SILENT, read: (bytes) => seen.push(bytes) } });
  expect(seen.reduce((sum, bytes) => sum + bytes, 0)).toBe(text.length);
});

test.runIf(process.platform === "linux")("an unreadable file leaves no file open", async () => {
  const before = readdirSync("/proc/self/fd").length;
  for (const files of [["none"], ["in", "none"], ["tmp"]]) {
    mkdirSync(join(cwd, "tmp"), { recursive: true });
    await expect(write(toLines([branch("a")]), { files })).rejects.toThrow(UserError);
  }
  const rejects = join(cwd, "none/rejects");
  await expect(write("NaN\n", { skipInvalid: true, rejects })).rejects.toThrow(UserError);
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
