import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { runCount } from "../../base/testing/run-count.js";
import { exportFiles } from "../../rollouts/pipeline/export/export.js";
import type { ExportChoices, ExportInputs } from "../../rollouts/pipeline/export/request.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-left-out-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function exportLines({ gate, ...request }: Partial<ExportInputs & ExportChoices>) {
  return await exportFiles(
    {
      files: ["a", "b"],
      limits: { maxErrors: 1000 },
      workers: 2,
      ...request,
    },
    { target: "wire", options: { exportedAtMs: 0 }, gate },
    { records: { dpo: "dpo", ppo: "ppo", sft: "sft" } },
    { cwd, stdin: Readable.from([]) },
  );
}

function readJson(name: string): JsonObject[] {
  const lines = readFileSync(join(cwd, name), "utf8").split("\n").slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject);
}

/** The bytes of a rejected line and its position. */
function decode({ file, line, text, base64 }: JsonObject): string {
  const bytes =
    typeof text === "string" ? Buffer.from(text) : Buffer.from(String(base64), "base64");
  return `${file}:${line} ${bytes.toString("hex")}`;
}

interface Line {
  readonly bytes: Buffer;
  readonly isValid: boolean;
}

const rollouts = new Map([
  ["valid", 3],
  ["another", 2],
]);
const valid = [...rollouts].flatMap(([rollout_id, count]) =>
  Array.from({ length: count }, (_, branch_index) =>
    createBranch({ rollout_id, branch_index, rank: branch_index + 1 }),
  ),
);

const validLines = fc
  .shuffledSubarray(valid, { minLength: valid.length, maxLength: valid.length })
  .map((branches) =>
    branches.map((branch): Line => ({ bytes: Buffer.from(JSON.stringify(branch)), isValid: true })),
  );

/** Never JSON, because no JSON begins with `!`. No NUL, because the file would count as binary. */
const anyBytes = fc
  .array(fc.integer({ min: 1, max: 255 }).filter((byte) => byte !== 0x0a))
  .map((bytes) => Buffer.from([0x21, ...bytes]));
const otherRecords = fc
  .constantFrom<object>({}, [], { ...valid[0], rank: 0 }, { ...valid[0], final_answer: null })
  .map((value) => Buffer.from(`${JSON.stringify(value)}\r`));
const twins = fc.constant(Buffer.from(JSON.stringify(createBranch({ rollout_id: "twins" }))));

const invalidLines = fc
  .tuple(fc.array(fc.oneof(anyBytes, otherRecords), { maxLength: 6 }), fc.boolean(), twins)
  .map(([lines, withTwins, twin]) => [...lines, ...(withTwins ? [twin, twin] : [])])
  .map((all) => all.map((bytes): Line => ({ bytes, isValid: false })));

const mixed = fc
  .tuple(validLines, invalidLines)
  .chain(([good, bad]) =>
    fc.shuffledSubarray([...good, ...bad], { minLength: good.length + bad.length }),
  );

function writeLines(name: string, lines: readonly Line[], compressed: boolean): void {
  const all = Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
  writeFileSync(join(cwd, name), compressed ? gzipSync(all) : all);
}

describe("--skip-invalid --rejects", () => {
  async function check(lines: Line[], cut: number, compressed: boolean, blockBytes?: number) {
    const parts = { a: lines.slice(0, cut), b: lines.slice(cut) };
    writeLines("a", parts.a, compressed);
    writeLines("b", parts.b, !compressed);
    const { written, findings, receiver } = await exportLines({
      skipInvalid: true,
      rejects: "rejects",
      ...(blockBytes !== undefined && { blockBytes }),
    });
    expect([written, findings.errors]).toEqual([true, 0]);
    const rejected = Object.entries(parts).flatMap(([file, part]) =>
      part.flatMap(({ bytes, isValid }, index) =>
        isValid ? [] : [`${file}:${index + 1} ${bytes.toString("hex")}`],
      ),
    );
    const rejects = readJson("rejects");
    expect(rejects.map(decode).toSorted()).toEqual(rejected.toSorted());
    expect(rejects.filter((reject) => !Array.isArray(reject.findings))).toEqual([]);
    expect(receiver.rejected + receiver.counts.faulty.branches).toBe(rejected.length);
    // The reasons are exactly the reported findings.
    const { findings: reported } = findings.toReport("export");
    expect(reported.every(({ severity }) => severity === "warning")).toBe(true);
    const places = new Set(reported.map(({ file, line }) => `${file}:${line}`));
    const kept = new Set(rejects.map(({ file, line }) => `${file}:${line}`));
    expect([...places].filter((place) => !kept.has(place))).toEqual([]);
    const ids = readJson("ppo").map(({ provenance }) =>
      isJsonObject(provenance) ? provenance.rollout_id : undefined,
    );
    for (const [id, count] of rollouts)
      expect(ids.filter((each) => each === id)).toHaveLength(count);
    expect(ids).toHaveLength(valid.length);
  }

  test("every line is either exported or kept byte for byte with its position", async () => {
    await fc.assert(
      fc.asyncProperty(mixed, fc.nat(20), fc.boolean(), (lines, cut, compressed) =>
        check(lines, cut, compressed),
      ),
      { numRuns: runCount(60) },
    );
  });

  test("on threads too", async () => {
    await fc.assert(
      fc.asyncProperty(mixed, fc.nat(20), fc.boolean(), (lines, cut, compressed) =>
        check(lines, cut, compressed, 10),
      ),
      { numRuns: runCount(3) },
    );
  });

  test("the reasons are the reported ones", async () => {
    const wrong = { ...createBranch({ rollout_id: "wrong" }), rank: 0 };
    writeFileSync(join(cwd, "a"), `${JSON.stringify(wrong)}\nNaN\n`);
    writeLines("b", [{ bytes: Buffer.from(JSON.stringify(valid[0])), isValid: true }], false);
    const { findings } = await exportLines({ skipInvalid: true, rejects: "rejects" });
    const reported = findings.toReport("export").findings.map(({ id, pointer, message }) => ({
      id,
      pointer,
      message,
    }));
    expect(readJson("rejects").flatMap((reject) => reject.findings)).toEqual(reported);
    expect(reported.map(({ id }) => id)).toEqual(["minimum", "zero-based-ranks", "json"]);
  });

  test("a rollout with an omitted line is exported without it", async () => {
    const rollout = [0, 1, 2].map((branch_index) => createBranch({ branch_index }));
    const lines = rollout.map((branch) => JSON.stringify(branch));
    writeFileSync(join(cwd, "a"), `${lines[0]}\n${lines[1]?.slice(1)}\n`);
    writeFileSync(join(cwd, "b"), `${lines[2]}\n`);
    await exportLines({ skipInvalid: true });
    const indexes = readJson("ppo").map(({ provenance }) =>
      isJsonObject(provenance) ? provenance.branch_index : undefined,
    );
    expect(indexes).toEqual([0, 2]);
  });
});

describe("--drop-contaminated", () => {
  const dirty = "what is the capital of the land of the free and the brave";
  const create = (rollout_id: string, task: string): RolloutBranchRecord[] =>
    [0, 1].map((branch_index) =>
      createBranch({ rollout_id, task, branch_index, rank: branch_index + 1 }),
    );
  const branches = [
    ...create("clean-1", "add two and two"),
    ...create("dirty-1", `please: ${dirty}?`),
    ...create("clean-2", "add three and three"),
    ...create("dirty-2", dirty.toUpperCase()),
  ];

  test.each([
    ["next to each other", branches, undefined],
    [
      "scattered over files",
      branches.toSorted((a, b) => a.branch_index - b.branch_index),
      undefined,
    ],
    ["on threads", branches.toReversed(), 300],
  ])(
    "rollouts %s: those that overlap are omitted, counted and listed",
    async (_, all, blockBytes) => {
      const toLine = (branch: RolloutBranchRecord): Line => ({
        bytes: Buffer.from(JSON.stringify(branch)),
        isValid: true,
      });
      writeLines("a", all.slice(0, 3).map(toLine), true);
      writeLines("b", all.slice(3).map(toLine), false);
      writeFileSync(join(cwd, "eval"), `${JSON.stringify({ id: "e", text: dirty })}\n`);
      const gate = { set: { items: "eval" } };
      const { written, findings, receiver } = await exportLines({
        blockBytes,
        gate: { ...gate, drop: true },
        rejects: "rejects",
      });
      expect([written, findings.errors, findings.warnings]).toEqual([true, 0, 2]);
      const { counts, contamination } = receiver;
      expect([counts.rollouts, counts.branches]).toEqual([2, 4]);
      expect(counts.contaminated).toEqual({ rollouts: 2, branches: 4 });
      expect(contamination?.explained.map(({ rollout }) => rollout).toSorted()).toEqual([
        "dirty-1",
        "dirty-2",
      ]);
      const first = all.findIndex(({ rollout_id }) => rollout_id === "dirty-1");
      const place = first < 3 ? ["a", first + 1] : ["b", first - 2];
      const explained = contamination?.explained.find(({ rollout }) => rollout === "dirty-1");
      expect([explained?.file, explained?.line]).toEqual(place);
      const text = readFileSync(join(cwd, "ppo"), "utf8");
      expect(text.trimEnd().split("\n")).toHaveLength(4);
      expect(text).not.toContain("dirty");
      const dropped = all.filter(({ rollout_id }) => rollout_id.startsWith("dirty"));
      const kept = readJson("rejects");
      expect(kept.map(({ text: line }) => line).toSorted()).toEqual(
        dropped.map((branch) => JSON.stringify(branch)).toSorted(),
      );
      for (const { findings: reasons } of kept) {
        expect(reasons).toMatchObject([{ id: "g3", pointer: "/task" }]);
      }

      writeFileSync(join(cwd, "ppo"), "former");
      const refused = await exportLines({ blockBytes, gate });
      expect([refused.written, refused.findings.errors]).toEqual([false, 2]);
      expect(readFileSync(join(cwd, "ppo"), "utf8")).toBe("former");
    },
  );
});
