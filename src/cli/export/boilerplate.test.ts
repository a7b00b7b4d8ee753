import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../base/json/print.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { exportFiles } from "../../rollouts/pipeline/export/export.js";
import {
  TEMPLATE,
  templateText,
  uniqueWords,
} from "../../rollouts/wire/decontamination/testing/template-texts.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** Two branches of a rollout that make a pair. */
function rollout(id: string, task: string): RolloutBranchRecord[] {
  return [0, 1].map((index) =>
    createBranch({
      ...{ rollout_id: id, task, branch_index: index, rank: index + 1 },
      ...{ total_score: 1 - index, final_answer: `answer ${index}` },
    }),
  );
}

const taskOf = (index: number): string => templateText(`task${index}x`);
const rollouts = Array.from({ length: 20 }, (_, index) => rollout(`r-${index}`, taskOf(index)));
/** Twelve evaluation items that share the template with all tasks, and nothing else. */
const items = Array.from({ length: 12 }, (_, index) => templateText(`item${index}x`));

const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.txt", "--exported-at-ms", "1"];
const dropping = [...argv, "--drop-contaminated"];

function write(branches: readonly RolloutBranchRecord[], evalItems: readonly string[]): void {
  folder.write("in.jsonl", toJsonl(branches));
  folder.write("eval.txt", `${evalItems.join("\n")}\n`);
}

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

describe("template text", () => {
  test("is reported, and is no contamination", async () => {
    write(rollouts.flat(), items);
    expect(await folder.run(argv)).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr: [
        "  validate           40 branches, 20 rollouts, 0 errors, 0 warnings",
        "  decontamination    20 tasks against 12 evaluation items, n = 8: clean",
        "  template text      13 n-grams in more than 5 % of 20 distinct tasks, not contamination: 20 rollouts share nothing else with it",
        '                     "you are reactive to the agent will not" (20 tasks)',
        '                     "say anything that is not asked and never" (20 tasks)',
        "  export             dpo.jsonl  20 pairs: 20 after identical turns",
        "                     ppo.jsonl  40 records",
        "  not paired         none",
        "",
      ].join("\n"),
    });
    const page = readFileSync(new URL("../../../docs/export.md", import.meta.url), "utf8");
    const { stderr } = await folder.run(argv);
    expect(page).toContain(`\`\`\`\n${stderr.split("\n").slice(1, 5).join("\n")}\n\`\`\`\n`);
    expect(await folder.run([...argv, "--boilerplate-share", "1"])).toMatchObject({
      exitCode: EXIT.findings,
      stderr: expect.stringContaining("n = 8: 20 rollouts contaminated\n"),
    });
  });

  test("does not hide an item that repeats a task, and only that rollout is left out", async () => {
    write(rollouts.flat(), [...items, taskOf(7)]);
    const strict = await folder.run(argv);
    expect(strict.exitCode).toBe(EXIT.findings);
    expect(strict.stdout.split("\n")).toHaveLength(2);
    expect(strict.stdout).toContain(
      'rollout "r-7" shares "you are task7x task7x0 task7x1 task7x2 task7x3 task7x4" with evaluation item "#13" (eval.txt:13), overlap ratio 1, longest span 24',
    );
    const report = ["--rejects", "rejects.jsonl", "--report", "report.json", "--skip-invalid"];
    const { exitCode, stderr } = await folder.run([...dropping, ...report]);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("n = 8: 1 rollout contaminated, skipped\n");
    expect(stderr).toContain("not contamination: 19 rollouts share nothing else with it\n");
    expect(stderr).toContain("dpo.jsonl  19 pairs: 19 after identical turns\n");
    expect(
      read("rejects.jsonl")
        .split("\n")
        .map((line) => /r-\d+/.exec(line)?.[0]),
    ).toEqual(["r-7", "r-7", undefined]);
    expect(JSON.parse(read("report.json"))).toMatchObject({
      rollouts: { exported: 19, contaminated: 1 },
      findings: { errors: 0, warnings: 1 },
      decontamination: {
        boilerplate_share: 0.05,
        min_overlap: 0,
        distinct_tasks: 20,
        boilerplate_ngrams: 13,
        boilerplate_examples: [
          { ngram: "you are reactive to the agent will not", tasks: 20 },
          { ngram: "say anything that is not asked and never", tasks: 20 },
        ],
        only_boilerplate: 19,
        below_min_overlap: 0,
        contaminated: [{ rollout_id: "r-7", items: 1, overlaps: [{ id: "#13" }] }],
      },
    });
  });

  test("does not hide a task of many rollouts", async () => {
    const again = Array.from({ length: 30 }, (_, index) => rollout(`again-${index}`, taskOf(99)));
    write([...rollouts, ...again].flat(), [...items, taskOf(99)]);
    const { stderr } = await folder.run(dropping);
    expect(stderr).toContain(
      "50 tasks against 13 evaluation items, n = 8: 30 rollouts contaminated, skipped\n",
    );
    expect(stderr).toContain("of 21 distinct tasks, not contamination: 20 rollouts share");
  });

  test("is described in the dataset card", async () => {
    write(rollouts.flat(), [...items, taskOf(7)]);
    await folder.run([...dropping, "--output-dir", "data"]);
    expect(read("data/README.md")).toContain(
      "Nothing that a model was given (context, definitions of tools, task, user turns) shares 8 consecutive words (NFKC, lower case) with any of 13 evaluation items. 1 rollout that did was skipped. Template text does not count: 13 runs of 8 words that evaluation items contain occurred in more than 5 % of 20 distinct tasks. 19 rollouts share only template text with the evaluation set.",
    );
  });

  test("is not quoted if secrets are redacted", async () => {
    write(rollouts.flat(), items);
    const { stderr } = await folder.run([...argv, "--redact"]);
    expect(stderr).toContain("13 n-grams in more than 5 %");
    expect(stderr).not.toContain("reactive");
  });
});

describe("--min-overlap", () => {
  const task = uniqueWords("e", 20);
  const branches = [
    ...rollout("more", uniqueWords("e", 12)),
    ...rollout("less", `${uniqueWords("e", 8)} x`),
    ...rollout("none", "x"),
  ];

  test("is the lowest overlap ratio of contamination", async () => {
    write(branches, [task]);
    const { stderr } = await folder.run([
      ...[...dropping, "--min-overlap", "0.6"],
      ...["--output-dir", "data"],
    ]);
    expect(stderr).toContain("3 tasks against 1 evaluation item, n = 8: 1 rollout contaminated");
    expect(stderr).toContain(
      "\n  below minimum      1 rollout overlaps by less than 0.6, not contamination\n",
    );
    expect(JSON.parse(read("data/manifest.json"))).toMatchObject({
      rollouts: { exported: 2, contaminated: 1 },
      decontamination: { min_overlap: 0.6, below_min_overlap: 1, only_boilerplate: 0 },
    });
    expect(read("data/README.md")).toContain(
      "with any of 1 evaluation item, counting only overlap ratios of 0.6 or more. 1 rollout",
    );
  });

  test.each(["--min-overlap", "--boilerplate-share"])("%s is a ratio", async (flag) => {
    write(branches, [task]);
    const { exitCode, stderr } = await folder.run([...argv, flag, "1.5"]);
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toContain("It must be a number from 0 to 1.");
  });
});

describe("the outputs do not depend on threads, blocks and the form of the input", () => {
  const evalItems = [...items, taskOf(7), `${TEMPLATE} ${uniqueWords("task9x", 17)}`];

  /** Exports the branches, and returns all outputs and findings. */
  async function exportBranches(
    branches: readonly RolloutBranchRecord[],
    form: "plain" | "gzip" | "stdin",
    settings: { readonly workers: number; readonly blockBytes?: number },
  ) {
    const text = toJsonl(branches);
    folder.write("in", form === "gzip" ? gzipSync(text) : text);
    folder.write("eval.txt", `${evalItems.join("\n")}\n`);
    const outcome = await exportFiles(
      {
        files: [form === "stdin" ? "-" : "in"],
        rejects: "rejects",
        limits: { maxErrors: 10 },
        ...settings,
      },
      {
        target: "training",
        options: { exportedAtMs: 1 },
        gate: { set: { items: "eval.txt" }, minOverlap: 0.9, drop: true },
      },
      { records: { dpo: "dpo", ppo: "ppo", sft: "sft" } },
      {
        cwd: folder.path,
        stdin: (async function* () {
          yield Buffer.from(text);
        })(),
      },
    );
    expect(outcome.written).toBe(true);
    const { contamination, counts } = outcome.receiver;
    return {
      files: ["dpo", "ppo", "rejects"].map((name) => read(name).replaceAll('"<stdin>"', '"in"')),
      findings: outcome.findings.toReport("export").findings.map(({ message }) => message),
      counts: [counts.rollouts, contamination?.rollouts, contamination?.onlyBoilerplate],
    };
  }

  const FORMS = [
    ["stdin", 2],
    ["plain", 2],
    ["gzip", 1],
  ] as const;
  const contiguous = rollouts.flat();
  const scattered = [0, 1].flatMap((index) =>
    rollouts.flatMap((each) => each.slice(index, index + 1)),
  );

  test.each([
    ["contiguous", contiguous],
    ["scattered", scattered],
  ])("%s branches", async (_, branches) => {
    const expected = await exportBranches(branches, "plain", { workers: 1 });
    expect(expected.counts).toEqual([19, 1, 18]);
    expect(expected.findings).toHaveLength(1);
    expect(expected.files[0]?.split("\n")).toHaveLength(20);
    if (branches !== contiguous) {
      const [records] = (await exportBranches(contiguous, "plain", { workers: 1 })).files;
      expect(expected.files[0]).toBe(records);
    }
    for (const [form, workers] of sampleCases(FORMS, 2)) {
      const blocks = { workers, blockBytes: 700 };
      expect(await exportBranches(branches, form, blocks)).toEqual(expected);
    }
  });
});
