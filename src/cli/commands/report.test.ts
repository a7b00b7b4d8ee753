import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { unpackPage } from "../../rollouts/look/report/testing/unpack-page.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const best = createBranch({ final_answer: "four" });
const worst = createBranch({
  branch_index: 1,
  rank: 2,
  objective_score: 0,
  total_score: 0.15,
  final_answer: "five",
});
const alone = createBranch({ rollout_id: "r-2", task: "Something else is asked here." });

folder.write("in.jsonl", toJsonl([best, worst, alone]));

const report = (...argv: string[]) => folder.run(["report", ...argv, "--output", "out.html"]);
const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const open = () => unpackPage(read("out.html"));

test("a page with every rollout, and a line that says so", async () => {
  const { exitCode, stdout, stderr } = await report("in.jsonl");
  expect([exitCode, stdout]).toEqual([EXIT.ok, ""]);
  expect(stderr).toMatch(/^out\.html: 2 rollouts, [\d.]+ kB\n$/);
  const { index, rollouts } = open();
  expect(index.rows).toEqual([
    {
      id: "r-1",
      outcome: "pair",
      branches: 2,
      passed: 1,
      best: best.total_score,
      worst: 0.15,
      gap: best.total_score - 0.15,
      turns: 1,
      divergence: 1,
      verdicts: ["fail", "pass"],
      tools: [],
      files: ["in.jsonl"],
      errors: 0,
      warnings: 0,
      contaminated: 0,
    },
    expect.objectContaining({ id: "r-2", outcome: "single-branch", branches: 1, passed: 1 }),
  ]);
  expect(rollouts[0]?.branches).toEqual([
    { file: "in.jsonl", line: 1, value: best },
    { file: "in.jsonl", line: 2, value: worst },
  ]);
  expect(index.totals).toMatchObject({ rollouts: 2, branches: 3, pairs: 1, errors: 0 });
  expect(index.totals.outcomes).toEqual([
    ["pair", 1],
    ["single-branch", 1],
  ]);
  expect(index.command).toBe("rollout-wire report in.jsonl --output out.html");
  expect(index.inputs).toEqual([
    {
      file: "in.jsonl",
      bytes: Buffer.byteLength(read("in.jsonl")),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      address: "./in.jsonl",
    },
  ]);
  expect(index.histograms.map(({ title }) => title)).toEqual([
    "Branches of a rollout",
    "Total score of a branch",
    "Assistant turns of a branch",
    "Turn in which a pair parts",
    "Assistant turns of a pair",
    "Characters of a pair",
  ]);
});

test("the same inputs give the same page", async () => {
  await report("in.jsonl");
  const first = read("out.html");
  await report("in.jsonl");
  expect(read("out.html")).toBe(first);
});

test("the lines of --pairs as they were exported", async () => {
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--output-dpo", "dpo.jsonl"];
  await folder.run([...argv, "--target", "trl"]);
  const { stderr } = await report("in.jsonl", "--pairs", "dpo.jsonl");
  expect(stderr).toMatch(/^out\.html: [^\n]*\n$/);
  const [first, second] = open().rollouts;
  const text = read("dpo.jsonl").trimEnd();
  expect(first?.pairs).toEqual([{ file: "dpo.jsonl", line: 1, text }]);
  expect(second?.pairs).toEqual([]);
  expect(open().index.inputs.map(({ file }) => file)).toEqual(["in.jsonl", "dpo.jsonl"]);
});

test("lines of --pairs whose rollouts are elsewhere are counted", async () => {
  folder.write("dpo.jsonl", '{"rollout_id": "r-9", "chosen": [], "rejected": []}\n');
  expect((await report("in.jsonl", "--pairs", "dpo.jsonl")).stderr).toContain(
    '\n--pairs: 1 line is of rollouts that are not in the input, such as "r-9"\n',
  );
});

test("a rollout whose branches break a rule is no pair, and a branch that no export takes is a finding", async () => {
  const nested = `${'{"a":'.repeat(600)}1${"}".repeat(600)}`;
  const deep = JSON.stringify({ ...alone, build_result: {} }).replace(
    '"build_result":{}',
    () => `"build_result":${nested}`,
  );
  folder.write("in-2.jsonl", `${toJsonl([best, { ...worst, branch_index: 0 }])}${deep}\n`);
  await report("in-2.jsonl");
  const { index } = open();
  expect(index.rows.map(({ outcome }) => outcome)).toEqual(["invalid"]);
  expect(index.findings).toMatchObject([{ id: "nesting-depth", line: 3 }]);
  expect(index.totals.pairs).toBe(0);
});

test("what a task shares with the evaluation set", async () => {
  folder.write("eval.jsonl", '{"id": "e-1", "text": "so: SOMETHING else is asked"}\n');
  await report("in.jsonl", "--eval-items", "eval.jsonl");
  const clean = open();
  expect(clean.index.totals.contaminated).toBe(0);
  folder.write("eval.jsonl", '{"id": "e-1", "text": "SOMETHING else, is asked"}\n');
  await report("in.jsonl", "--eval-items", "eval.jsonl");
  const { index, rollouts } = open();
  expect(index.totals.contaminated).toBe(1);
  expect(index.rows[1]).toMatchObject({ contaminated: 1, overlap: 1, shared: 4 });
  expect(rollouts[1]?.overlaps).toEqual([
    {
      ...{ item: "e-1", file: "eval.jsonl", line: 1, ratio: 1, longestSpan: 4, spans: [[0, 23]] },
      ...{ pointer: "/task", place: "task", branch: 0 },
    },
  ]);
});

test("each file has its address as seen from the page; standard input has none", async () => {
  mkdirSync(join(folder.path, "a b"));
  const [odd, plain] = ["a b/in:#?.jsonl", "in.jsonl"];
  folder.write(odd, read("in.jsonl").replaceAll("r-", "s-"));
  const addresses = async (...argv: string[]) => {
    await folder.run(["report", ...argv]);
    const { index } = unpackPage(read(argv.at(-1) ?? ""));
    return index.inputs.map(({ address }) => address);
  };
  expect(await addresses(plain, odd, "--output", "a b/out.html")).toEqual([
    "../in.jsonl",
    "./in%3A%23%3F.jsonl",
  ]);
  const { exitCode } = await folder.run(["report", "-", "--output", "out.html"], {
    stdin: [Buffer.from(read("in.jsonl"))],
  });
  expect(exitCode).toBe(EXIT.ok);
  expect(open().index.inputs.map(({ address }) => address)).toEqual([undefined]);
});

describe("findings", () => {
  test("each with its place, at its rollout or for the page", async () => {
    const damaged = JSON.stringify({ ...worst, temperature: "hot" });
    folder.write("in-2.jsonl", `${toJsonl([best])}${damaged}\n{"task": 1}\n`);
    const { exitCode, stderr } = await report("in-2.jsonl");
    const { index, rollouts } = open();
    expect([exitCode, stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining(`\nfindings: ${index.totals.errors} errors, `),
    ]);
    expect(rollouts[0]?.lost).toBe(1);
    expect(rollouts[0]?.findings).toEqual([
      {
        id: "type",
        severity: "error",
        file: "in-2.jsonl",
        line: 2,
        column: damaged.indexOf('"hot"') + 1,
        pointer: "/temperature",
        message: expect.stringContaining("number"),
      },
    ]);
    expect(index.rows[0]).toMatchObject({ outcome: "incomplete-rollout", errors: 1 });
    expect(index.findings.map(({ line }) => line)).toContain(3);
    expect(index.totals.errors).toBe(1 + index.findings.length);
  });

  test("a gap in the ranks is none where a line is lost, as in validate", async () => {
    const lost = JSON.stringify({ ...worst, temperature: "hot" });
    const last = { ...worst, branch_index: 2, rank: 3 };
    folder.write("in-2.jsonl", `${toJsonl([best])}${lost}\n${toJsonl([last])}`);
    await report("in-2.jsonl");
    expect(open().index.totals.findings).toEqual([["type", 1]]);
  });

  test("those of a rollout as a whole", async () => {
    folder.write("in-2.jsonl", toJsonl([best, { ...worst, rank: 1 }]));
    await report("in-2.jsonl");
    const { index, rollouts } = open();
    expect(rollouts[0]?.findings.map(({ id }) => id)).toContain("rank-permutation");
    expect(index.totals.findings.map(([id]) => id)).toContain("rank-permutation");
  });
});

test("branches that are not ranked", async () => {
  folder.write("in-2.jsonl", toJsonl([createCaptured()]));
  await report("in-2.jsonl");
  expect(open().index.rows).toEqual([expect.objectContaining({ outcome: "not-ranked" })]);
});

test("above the maximum size, a sample and how many rollouts are left out", async () => {
  const lines = Array.from({ length: 400 }, (_, index) =>
    createBranch({ rollout_id: `r-${index}`, final_answer: noise(10_000, index) }),
  );
  const broken = createBranch({ rollout_id: "r-bad", rank: 2 });
  folder.write("in-2.jsonl", toJsonl([...lines, broken]));
  const { stderr } = await report("in-2.jsonl", "--max-size", "1");
  const [, shown, left] =
    /^out\.html: (\d+) rollouts, without (\d+) more rollouts, /.exec(stderr) ?? [];
  const { index } = open();
  expect(index.rows.length).toBe(Number(shown));
  expect(index.sample).toEqual({ leftOut: Number(left), maxBytes: 1_000_000, seed: 0 });
  expect(Number(shown) + Number(left)).toBe(401);
  expect(Buffer.byteLength(read("out.html"))).toBeLessThanOrEqual(1_000_000);
  expect(read("out.html").length).toBeGreaterThan(500_000);
  expect(index.totals.rollouts).toBe(401);
  // Those with errors come first.
  expect(index.rows.map(({ id }) => id)).toContain("r-bad");
});

test("--pages: all rollouts in order, on pages that link to one another", async () => {
  const lines = Array.from({ length: 120 }, (_, index) =>
    createBranch({ rollout_id: `r-${index}`, final_answer: noise(20_000, index) }),
  );
  folder.write("in-2.jsonl", toJsonl(lines));
  const argv = ["report", "in-2.jsonl", "--pages", "--max-size", "1", "--output", "pages"];
  expect((await folder.run(argv)).stderr).toMatch(
    /^pages: 120 rollouts on [34] pages, [\d.]+ MB\n$/,
  );
  const files = readdirSync(join(folder.path, "pages"));
  expect(files.sort()).toEqual([
    "index.html",
    ...files.slice(1).map((_, at) => `page-${at + 2}.html`),
  ]);
  const pages = files.map((file) => unpackPage(read(`pages/${file}`)));
  expect(pages.flatMap(({ index }) => index.rows.map(({ id }) => id))).toEqual(
    lines.map(({ rollout_id }) => rollout_id),
  );
  const parts = pages.map(({ index }) => index.part);
  expect(parts.map((part) => part?.previous)).toEqual([undefined, ...files.slice(0, -1)]);
  expect(parts.map((part) => part?.next)).toEqual([...files.slice(1), undefined]);
  expect(parts.map((part) => part?.first)).toEqual([
    1,
    ...parts.slice(0, -1).map((part) => (part?.last ?? 0) + 1),
  ]);
  for (const file of files)
    expect(Buffer.byteLength(read(`pages/${file}`))).toBeLessThanOrEqual(1_000_000);
  // A shorter report leaves none of the former pages.
  await folder.run(["report", "in.jsonl", "--pages", "--output", "pages"]);
  expect(readdirSync(join(folder.path, "pages"))).toEqual(["index.html"]);
});

/** A text that cannot be packed much, the same for the same seed. */
function noise(length: number, seed: number): string {
  let state = seed + 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8).toString(36);
  };
  let text = "";
  while (text.length < length) text += next();
  return text.slice(0, length);
}

describe("refused", () => {
  test("--pages where another page is, or a folder of its name", async () => {
    mkdirSync(join(folder.path, "site"));
    mkdirSync(join(folder.path, "odd/index.html"), { recursive: true });
    const mine = '<div id="app"></div>';
    folder.write("site/index.html", mine);
    for (const output of ["site", "odd"]) {
      const argv = ["report", "in.jsonl", "--pages", "--output", output];
      const { exitCode, stderr } = await folder.run(argv);
      expect(exitCode).toBe(EXIT.usage);
      expect(stderr).toMatch(/^output .*\/index\.html: was not written by report: /);
    }
    expect(read("site/index.html")).toBe(mine);
  });

  test("no valid branch", async () => {
    folder.write("in-2.jsonl", '{"task": 1}\n');
    expect(await report("in-2.jsonl")).toMatchObject({
      exitCode: EXIT.usage,
      stderr: "no valid branch in 1 file\n",
    });
  });

  test.each([
    ['{"chosen": [], "rejected": []}', "names no rollout"],
    ['{"rollout_id": "r-1", "reward": 1}', "is no pair"],
    ["[]", "must be an object"],
  ])("--pairs with %s", async (line, message) => {
    folder.write("dpo.jsonl", `${line}\n`);
    expect(await report("in.jsonl", "--pairs", "dpo.jsonl")).toMatchObject({
      exitCode: EXIT.findings,
      stderr: expect.stringMatching(`^dpo\\.jsonl:1: .*${message}`),
    });
  });

  test("an output that is an input", async () => {
    const { exitCode, stderr } = await folder.run(["report", "in.jsonl", "--output", "in.jsonl"]);
    expect([exitCode, stderr]).toEqual([EXIT.usage, "output in.jsonl: is also an input\n"]);
  });

  test("a size of nothing", async () => {
    const { exitCode, stderr } = await report("in.jsonl", "--max-size", "0");
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining("at least 1 MB")]);
  });
});
