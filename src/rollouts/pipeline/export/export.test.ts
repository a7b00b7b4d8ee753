import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { STDIN } from "../../../base/files/source.js";
import { runCount } from "../../../base/testing/run-count.js";
import { selectPair } from "../../wire/export/selection.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import { resolveExportOptions } from "../../wire/export/targets/target.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";
import { createEvent } from "../../wire/export/testing/create-event.js";
import { exportFiles } from "./export.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-export-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const options = resolveExportOptions({ exportedAtMs: 0 });

/** A naive export: the specification of everything that the engine does with blocks and threads. */
function exportNaively(branches: readonly RolloutBranchRecord[], target: TargetId) {
  const { toDpo, toPpo } = targets[target];
  const dpo: (object | undefined)[] = [];
  const ppo: (object | undefined)[] = [];
  for (const id of new Set(branches.map(({ rollout_id }) => rollout_id))) {
    const rollout = branches.filter(({ rollout_id }) => rollout_id === id);
    const { pair } = selectPair(rollout);
    if (pair) dpo.push(toDpo?.(pair, options));
    const ordered = rollout.toSorted((a, b) => a.branch_index - b.branch_index);
    ppo.push(...ordered.map((branch) => toPpo?.(branch, options)));
  }
  const [dpoText, ppoText] = [dpo, ppo].map((records) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  );
  return { dpo: dpoText, ppo: ppoText };
}

/** Inputs of an export, in the order of the command line. */
interface Input {
  readonly branches: readonly RolloutBranchRecord[];
  readonly compressed: boolean;
  readonly text: string;
}

const events = fc.constantFrom(
  [],
  [
    { event: "tool_call", data: { toolName: "add", args: { a: 2 }, callId: "c", text: "é\u2028" } },
    { event: "tool_result", data: { callId: "c", toolName: "add", output: { sum: [4] } } },
  ],
  [{ tool_name: "add", args: { a: 2 }, result: 4 }, { note: "neither a call nor a result" }],
);

const branchFields = fc.record({
  branch_index: fc.nat(20),
  total_score: fc.constantFrom(0, 0.15, 0.3, 1, 1.3),
  objective_score: fc.constantFrom(0 as const, 1 as const),
  final_answer: fc.oneof(fc.constantFrom("", "four", "a\nb"), fc.string({ unit: "grapheme" })),
  tool_call_sequence: events.map((each) => each.map(createEvent)),
});

const rollouts = fc
  .uniqueArray(
    fc.record({
      rollout_id: fc.oneof(fc.stringMatching(/^r-\d{1,6}$/), fc.string({ minLength: 1 })),
      task: fc.string({ minLength: 1, unit: "grapheme" }),
      branches: fc.uniqueArray(branchFields, {
        minLength: 1,
        maxLength: 4,
        selector: ({ branch_index }) => branch_index,
      }),
    }),
    { minLength: 1, maxLength: 8, selector: ({ rollout_id }) => rollout_id },
  )
  .map((all) =>
    all.flatMap(({ branches, ...rollout }) => {
      // With equal scores, either may have the better rank.
      const ranking = branches.toSorted((a, b) => b.total_score - a.total_score);
      return branches.map((branch) =>
        createBranch({ ...rollout, ...branch, rank: ranking.indexOf(branch) + 1 }),
      );
    }),
  );

/** In captured order, with the branches of a rollout adjacent, or in any order. */
const ordered = rollouts.chain((branches) =>
  fc.oneof(
    fc.constant(branches),
    fc.shuffledSubarray(branches, { minLength: branches.length, maxLength: branches.length }),
  ),
);

const inputs: fc.Arbitrary<Input[]> = ordered.chain((branches) =>
  fc
    .array(fc.record({ end: fc.nat(branches.length), ...fileForm() }), { maxLength: 4 })
    .map((files) => {
      const ends = files.map(({ end }) => end).toSorted((a, b) => a - b);
      const all = [...files, { compressed: false, mark: "", lineEnd: "\n", lastEnd: "\n" }];
      return all.map(({ compressed, mark, lineEnd, lastEnd }, index) => {
        const own = branches.slice(ends[index - 1] ?? 0, ends[index] ?? branches.length);
        const lines = own.map((branch) => JSON.stringify(branch)).join(lineEnd);
        return { branches: own, compressed, text: `${mark}${lines}${lastEnd}` };
      });
    }),
);

function fileForm() {
  return {
    compressed: fc.boolean(),
    mark: fc.constantFrom("", "\ufeff"),
    lineEnd: fc.constantFrom("\n", "\r\n", "\n\n", "\n \t\r\n"),
    lastEnd: fc.constantFrom("", "\n"),
  };
}

interface Run {
  readonly inputs: readonly Input[];
  /** Which input is standard input, and the size of its chunks. */
  readonly piped: number;
  readonly pieceBytes: number;
  readonly target: TargetId;
  readonly workers: number;
  /** Undefined: no thread is started for so little input. */
  readonly blockBytes: number | undefined;
}

async function* toPieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function exportRun({ inputs, piped, pieceBytes, target, workers, blockBytes }: Run) {
  const stored = inputs.map(({ compressed, text }) =>
    compressed ? gzipSync(text) : Buffer.from(text),
  );
  const names = stored.map((bytes, index) => {
    if (index === piped) return STDIN;
    writeFileSync(join(cwd, `in-${index}`), bytes);
    return `in-${index}`;
  });
  const outcome = await exportFiles(
    {
      files: names,
      limits: { maxErrors: 10 },
      workers,
      blockBytes,
    },
    { target, options },
    { records: { dpo: "dpo", ppo: "ppo", sft: "sft" } },
    { cwd, stdin: toPieces(stored[piped] ?? Buffer.alloc(0), pieceBytes) },
  );
  const [dpo, ppo] = ["dpo", "ppo"].map((name) => readFileSync(join(cwd, name), "utf8"));
  return { outcome, files: { dpo, ppo } };
}

function runs(
  parts: Pick<{ [Key in keyof Run]: fc.Arbitrary<Run[Key]> }, "workers" | "blockBytes">,
) {
  return fc.record({
    inputs,
    piped: fc.nat(6),
    pieceBytes: fc.integer({ min: 1, max: 2000 }),
    target: fc.constantFrom<TargetId>("training", "wire"),
    ...parts,
  });
}

async function expectSameAsNaive(run: Run): Promise<void> {
  const branches = run.inputs.flatMap((input) => input.branches);
  const { outcome, files } = await exportRun(run);
  expect(outcome.findings.toReport("export").findings.filter(isError)).toEqual([]);
  expect(outcome.written).toBe(true);
  expect(files).toEqual(exportNaively(branches, run.target));
  const { counts } = outcome.receiver;
  const ids = new Set(branches.map(({ rollout_id }) => rollout_id));
  expect([counts.rollouts, counts.branches]).toEqual([ids.size, branches.length]);
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === "error";
}

describe("the files equal those of a naive export, byte for byte", () => {
  test("for branches in any order, in any number of files", async () => {
    const any = runs({ workers: fc.constant(1), blockBytes: fc.constant(undefined) });
    await fc.assert(fc.asyncProperty(any, expectSameAsNaive), { numRuns: runCount(150) });
  });

  test("for any number of threads and any block size", async () => {
    const any = runs({
      workers: fc.integer({ min: 1, max: 3 }),
      blockBytes: fc.integer({ min: 1, max: 3000 }),
    });
    // Every run starts its own threads.
    await fc.assert(fc.asyncProperty(any, expectSameAsNaive), { numRuns: runCount(8) });
  });

  test("for rollouts that span many blocks and files, on threads", async () => {
    const branches = Array.from({ length: 40 }, (_, index) =>
      createBranch({
        rollout_id: index < 20 ? "one" : "another",
        branch_index: index,
        rank: (index % 20) + 1,
        total_score: -index,
        final_answer: `answer ${index} ${"x".repeat(100)}`,
      }),
    );
    const toInput = (from: number, to: number): Input => {
      const own = branches.slice(from, to);
      return {
        branches: own,
        compressed: false,
        text: own.map((b) => `${JSON.stringify(b)}\n`).join(""),
      };
    };
    const inputs = [toInput(0, 3), toInput(3, 30), toInput(30, 40)];
    const run = { piped: 1, pieceBytes: 200, target: "training", workers: 2 } as const;
    await expectSameAsNaive({ ...run, inputs, blockBytes: 100 });
    const scattered = branches.toSorted((a, b) => (a.branch_index % 7) - (b.branch_index % 7));
    const text = scattered.map((branch) => `${JSON.stringify(branch)}\n`).join("");
    const input = { branches: scattered, compressed: true, text };
    await expectSameAsNaive({ ...run, piped: 0, inputs: [input], blockBytes: 100 });
  });
});
