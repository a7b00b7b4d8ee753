import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import measure from "string-width";
import { afterAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const call = (toolName: string, args: object) => ({
  event: "tool_call" as const,
  data: { toolName, args, callId: "1", batchId: "t" },
});
const result = (output: string) => ({
  event: "tool_result" as const,
  data: { callId: "1", toolName: "look", output },
});

const best = createBranch({
  tool_call_sequence: [call("look", { at: "door" }), result("open")],
  final_answer: "It is open.",
});
const worst = createBranch({
  branch_index: 1,
  rank: 2,
  objective_score: 0,
  total_score: 0.15,
  tool_call_sequence: [call("look", { at: "door" }), result("open")],
  final_answer: "It is\nshut.",
});

folder.write("two.jsonl", toJsonl([best, worst]));

const show = (...argv: string[]) => folder.run(["show", ...argv]);

test("both branches side by side, with what they share once", async () => {
  expect(await show("two.jsonl")).toEqual({
    exitCode: EXIT.ok,
    stderr: "",
    stdout: `rollout r-1  2 branches, 1 passed
  pair: branch 0 (1.15) over branch 1 (0.15); they part in assistant turn 2: text "It is open."
  against text "It is shut."

  the same in both branches:
  user      What is 2+2?
  assistant look(at: "door")
  tool      open

  branch 0, rank 1, score 1.15, pass, 2 turns       branch 1, rank 2, score 0.15, fail, 2 turns
  ── branch 0 and branch 1 part here ──
  assistant It is open.                             assistant It is shut.
`,
  });
});

test("one after the other on a narrow terminal", async () => {
  const { stdout } = await folder.run(["show", "two.jsonl"], {
    isTTY: true,
    columns: 60,
    env: { PAGER: "", NO_COLOR: "1" },
  });
  expect(stdout).toContain(`
  branch 0, rank 1, score 1.15, pass, 2 turns
  ── branch 0 and branch 1 part here ──
  assistant It is open.

  branch 1, rank 2, score 0.15, fail, 2 turns
  ── branch 0 and branch 1 part here ──
  assistant It is shut.
`);
});

test("--pair shows both in full, from where they part", async () => {
  const { stdout } = await show("two.jsonl", "--pair");
  expect(stdout).toContain(`
  3 messages are the same, then:

  branch 0, rank 1, score 1.15, pass, 2 turns       branch 1, rank 2, score 0.15, fail, 2 turns

  assistant                                         assistant
    It is open.                                       It is
                                                      shut.
`);
});

test("--branch shows one in full", async () => {
  const { stdout } = await show("two.jsonl", "--branch", "1");
  expect(stdout).toContain(`
  assistant
    look {
      "at": "door"
    }

  tool look
    open
`);
  expect(stdout).not.toContain("branch 0");
});

test("why there is no pair, also of rollouts that are not ranked", async () => {
  folder.write("no-pair.jsonl", toJsonl([best, { ...worst, total_score: best.total_score }]));
  expect((await show("no-pair.jsonl")).stdout).toContain(
    "  no pair (no-preference): both branches have the same total score\n",
  );
  folder.write("captured.jsonl", toJsonl([createCaptured()]));
  const { stdout } = await show("captured.jsonl");
  expect(stdout).toContain(
    "  branch 0, not verified, 1 turn\n  user      What is 2+2?\n  assistant four\n",
  );
  expect(stdout).toContain(
    "  no pair (not-ranked): a branch has no rank and score: rank the file first\n",
  );
  expect((await show("captured.jsonl", "--pair")).stdout).toContain(
    "no two ranked branches to compare",
  );
});

test("all rollouts of several files, or the one that is named", async () => {
  const other = createBranch({ rollout_id: "r-2", branch_index: 0 });
  folder.write("other.jsonl", toJsonl([other]));
  const { stdout } = await show("two.jsonl", "other.jsonl");
  expect([...stdout.matchAll(/^rollout (\S+)/gm)].map(([, id]) => id)).toEqual(["r-1", "r-2"]);
  expect((await show("two.jsonl", "other.jsonl", "--rollout", "r-2")).stdout).not.toContain("r-1");
});

test("lines that are no branch are counted, with the command that says why", async () => {
  folder.write("bad.jsonl", `${toJsonl([best])}{"rollout_id":"r-1"}\nNaN\n`);
  const { exitCode, stdout, stderr } = await show("bad.jsonl");
  expect([exitCode, stderr]).toEqual([
    EXIT.ok,
    "2 lines are no valid branches, the first is bad.jsonl:3  Why:  rollout-wire validate bad.jsonl\n",
  ]);
  expect(stdout).toContain("rollout r-1  1 branch");
});

test("a branch that no export takes counts as invalid, and does not end the program", async () => {
  const deep = `${JSON.stringify({ ...worst, tool_call_sequence: [call("look", {})] }).replace(
    '"args":{}',
    () => `"args":${'{"a":'.repeat(6_000)}1${"}".repeat(6_000)}`,
  )}\n`;
  folder.write("deep.jsonl", `${toJsonl([best])}${deep}`);
  const { exitCode, stdout, stderr } = await show("deep.jsonl");
  expect([exitCode, stderr]).toEqual([
    EXIT.ok,
    expect.stringContaining("1 line is no valid branch, the first is deep.jsonl:2"),
  ]);
  expect(stdout).toContain("no pair (incomplete-rollout)");
});

test("two branches with one index are no pair, and no branch is compared with itself", async () => {
  folder.write("twice.jsonl", toJsonl([best, { ...worst, branch_index: 0 }]));
  const { stdout } = await show("twice.jsonl");
  expect(stdout).toContain(
    "no pair (invalid): its branches break a rule together, which validate names\n",
  );
  expect(stdout).not.toContain("part here");
});

test.each([
  [["two.jsonl", "--rollout", "r-9"], '--rollout "r-9": no valid branch of this rollout in 1 file'],
  [["two.jsonl", "--branch", "7"], "no valid branch 7 in 1 file"],
  [
    ["two.jsonl", "--branch", "0", "--pair"],
    "option '-b, --branch <n>' cannot be used with option '-p, --pair'  Help:  rollout-wire show --help",
  ],
  [
    ["two.jsonl", "--summary", "--pair"],
    "option '-p, --pair' cannot be used with option '-s, --summary'  Help:  rollout-wire show --help",
  ],
])("%j is refused", async (argv, message) => {
  const { exitCode, stdout, stderr } = await show(...argv);
  expect([exitCode, stdout, stderr]).toEqual([EXIT.usage, "", `${message}\n`]);
});

describe("hostile records", () => {
  const hostile = "\u001b[31m\u202e</script>\u0007 日本語 ".repeat(50);
  const branches = [best, worst].map((branch, index) => ({
    ...branch,
    task: hostile,
    rollout_id: hostile,
    final_answer: hostile + index,
    branch_error: { message: hostile },
  }));
  folder.write("hostile.jsonl", toJsonl(branches));

  test.each([[[]], [["--pair"]], [["--branch", "0"]]])(
    "%j: nothing is interpreted, no line too wide",
    async (flags) => {
      const { exitCode, stdout } = await show("hostile.jsonl", ...flags);
      expect(exitCode).toBe(EXIT.ok);
      for (const character of ["\u001b", "\u202e", "\u0007"]) {
        expect(stdout).not.toContain(character);
      }
      for (const line of stdout.split("\n")) expect(measure(line)).toBeLessThanOrEqual(100);
    },
  );
});

test("every sample fits every width", async () => {
  const file = join(packageRoot(), "fixtures/golden/support-desk/input.jsonl");
  for (const columns of [20, 80, 200]) {
    for (const flag of [[], ["--pair"]]) {
      const { stdout } = await folder.run(["show", file, ...flag], {
        isTTY: true,
        columns,
        env: { PAGER: "" },
      });
      const widths = stdout.split("\n").map((line) => measure(line));
      expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(40, columns));
    }
  }
});

test("on a terminal, the pager gets the text", async () => {
  const own = mkdtempSync(join(tmpdir(), "rollout-wire-pager-"));
  const file = join(own, "paged");
  try {
    const { stdout } = await folder.run(["show", "two.jsonl"], {
      isTTY: true,
      env: { ...process.env, PAGER: `tee ${file}` },
    });
    expect(stdout).toBe("");
    expect(readFileSync(file, "utf8")).toContain("part here");
    const plain = await folder.run(["show", "two.jsonl"], {
      isTTY: true,
      env: { PAGER: "no-such-pager" },
    });
    expect(plain.stdout).toContain("part here");
  } finally {
    rmSync(own, { recursive: true });
  }
});
