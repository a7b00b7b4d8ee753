import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copySchemas, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { EXIT } from "../src/base/user-error.js";
import { FIRST_LINE } from "../src/contract/codegen/files.js";
import { run as cli } from "./cli.js";
import { run } from "./start.js";
import { runInProcess } from "./testing/run-in-process.js";

const own = '{"id": "not a branch"}\n';

let copy: RepositoryCopy;

beforeAll(async () => {
  copy = copySchemas(["rollout-trace", "rollout-wire"], ["fixtures/golden/support-desk"]);
  expect((await runInProcess(cli, ["generate"], { root: copy.root })).status).toBe(EXIT.ok);
});

afterAll(() => copy.remove());

const start = (...args: string[]) => runInProcess(run, args, { root: copy.root });

function countLines(name: string): number {
  return readFileSync(join(copy.root, name), "utf8").trimEnd().split("\n").length;
}

test("the bundled sample, from generated code to both output files", async () => {
  const { status, stdout, stderr } = await start();
  expect([status, stderr]).toEqual([EXIT.ok, ""]);
  const pairs = countLines("out/dpo.jsonl");
  const rewards = countLines("out/ppo.jsonl");
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^rollout-wire \d\S+ {3}rollout-wire\/v\d+ {3}canonical [0-9a-f]{8}$/),
    "",
    expect.stringMatching(/^ {2}generated code {5}up to date$/),
    "  input              fixtures/golden/support-desk/input.jsonl",
    // README.md shows which warnings: its test compares them.
    expect.stringMatching(
      /^ {2}validate {11}19 branches, 7 rollouts, 0 errors, \d+ warnings? \(.+\)$/,
    ),
    "  decontamination    7 tasks against 12 evaluation items, n = 8: clean",
    `  export             out/dpo.jsonl   ${pairs} pairs`,
    `                     out/ppo.jsonl  ${rewards} records`,
    "  not paired         1 single-branch, 1 no-preference",
    "  missing tools      18 branches that call tools declare none (context.tools)",
    expect.stringMatching(/^ {2}report {13}out\/report\.html: 7 rollouts, [\d.]+ kB$/),
    "",
    "rollout desk-001  4 branches, 2 passed",
    ...Array(23).fill(expect.any(String)),
    "  ...",
    "",
    "Your own rollouts:  npm start -- --input rollouts.jsonl --eval-items eval.jsonl",
    "",
  ]);
  expect([pairs, rewards]).toEqual([5, 19]);
});

test("on a terminal, the current step is shown while it runs", async () => {
  const { status, stdout, stderr } = await runInProcess(run, [], { root: copy.root, isTTY: true });
  expect(status).toBe(EXIT.ok);
  const [line, rest] = stderr.split("\r\u001b[K");
  expect(line).toBe("  generated code     checking ...");
  expect(rest).toBeDefined();
  expect(stdout).not.toContain("checking");
});

describe("the user's own input", () => {
  const sample = "fixtures/golden/support-desk/input.jsonl";

  test("without an evaluation set: a hint how to give one", async () => {
    const { status, stdout } = await start("--input", sample);
    expect(status).toBe(EXIT.ok);
    expect(stdout).toContain(
      "  decontamination    skipped (--allow-missing-g3): the outputs may contain evaluation items\n",
    );
    expect(stdout).toContain(
      `\nDecontaminated:  npm start -- --input ${sample} --eval-items eval.jsonl\n`,
    );
  });

  test("input that overlaps the evaluation set", async () => {
    const [first = ""] = readFileSync(join(copy.root, sample), "utf8").split("\n");
    const { task }: { task: unknown } = JSON.parse(first);
    writeFileSync(join(copy.root, "eval.jsonl"), JSON.stringify({ id: "e-1", text: task }));
    const { status, stdout } = await start("--input", sample, "--eval-items", "eval.jsonl");
    expect(status).toBe(EXIT.findings);
    expect(stdout).toContain("7 tasks against 1 evaluation item, n = 8: 1 rollout contaminated\n");
    expect(stdout).toMatch(
      /\/task +rollout "desk-001" shares "[^\n]*overlap ratio 1, [^\n]*\(g3\)\n$/,
    );
  });

  test("invalid input", async () => {
    writeFileSync(join(copy.root, "own.jsonl"), own);
    const { status, stdout } = await start("--input", "own.jsonl");
    expect(status).toBe(EXIT.findings);
    expect(stdout).toContain("  export             nothing written: fix the errors first\n");
    expect(stdout).toMatch(/\nown\.jsonl:1:1 {2}\(line\) {2}lacks "task" +\(required\)\n/);
  });

  test("missing input", async () => {
    const { status, stderr } = await start("--input", "none.jsonl");
    expect([status, stderr]).toEqual([EXIT.unreadable, "none.jsonl: no such file\n"]);
  });
});

test("stale generated code stops the run, and names the fix", async () => {
  const file = join(copy.root, "generated/typescript/rollout-trace.d.ts");
  const fresh = readFileSync(file, "utf8");
  writeFileSync(file, `${fresh}\n`);
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), `// ${FIRST_LINE}\n`);
  const { status, stdout } = await start();
  writeFileSync(file, fresh);
  rmSync(join(copy.root, "generated/typescript/stray.js"));
  expect(status).toBe(EXIT.findings);
  expect(stdout).toContain("generated/typescript/stray.js: unexpected, no schema generates it\n");
  expect(stdout).toContain("+++ generated/typescript/rollout-trace.d.ts");
  expect(stdout).toMatch(
    /\n2 of \d+ generated files are not up to date\. {2}Fix: {2}rollout-wire generate\n$/,
  );
});
