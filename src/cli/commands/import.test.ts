import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRolloutBranch } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { forms } from "../../rollouts/pipeline/import/forms/index.js";
import { findDisagreement } from "../../rollouts/pipeline/import/testing/find-disagreement.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const pathOf = (name: string): string => join(folder.path, name);
const read = (name: string): string => readFileSync(pathOf(name), "utf8");
const readLines = (name: string): unknown[] =>
  read(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** A row of rollout summaries, as a line. */
function rowOf(fields: object, answer = "4", task = "What is 2+2?"): string {
  const prompt = { type: "conversation", messages: [{ role: "user", content: task }] };
  const messages = [{ role: "assistant", content: answer }];
  const trace = { prompt, policy_response: { type: "conversation", messages } };
  const place = { schema_version: 1, split: "train", iteration: 0, group_idx: 0, traj_idx: 0 };
  return `${JSON.stringify({ ...place, total_reward: 1, ...fields, steps: [{ trace }] })}\n`;
}

const importTinker = (...argv: string[]) =>
  folder.run(["import", "tinker", "--output", "out.jsonl", ...argv]);
const importAtif = (...argv: string[]) =>
  folder.run(["import", "atif", "--output", "out.jsonl", ...argv]);

/** For each preset, the number of rows of its fixture, how they are grouped, and what is not read of them. */
const PRESETS: readonly (readonly [preset: string, rows: number, group: string, unread: string])[] =
  [
    [
      "teich",
      5,
      "/metadata/task",
      "5 x /metadata/trace_type, 5 x /metadata/model, 5 x /metadata/turn_count, 5 x /prompt, 5 x /category",
    ],
    [
      "prime-rl",
      5,
      "/example_id (3 rows), /task/key (2 rows)",
      "10 x sampled, 10 x timestamp, 10 x token_ids, 10 x mask, 8 x parent, 5 x /info, 5 x /is_completed, 5 x /metrics, 3 x /answer, 3 x /timing, 3 x /token_usage, 3 x /exact_answer, 3 x /num_turns, 2 x /task/type, 2 x /task/data, 2 x /task/hash, 2 x /version, 2 x /verifiers, 2 x /agent, 2 x /ok",
    ],
    ["openhands", 4, "/instance_id", "4 x /repo, 2 x /model_patch"],
    [
      "swe-smith",
      5,
      "/instance_id",
      "29 x agent, 29 x message_type, 12 x thought, 7 x action, 5 x /model, 2 x /patch",
    ],
    ["trl", 5, "the equal task", ""],
  ];

/** Runs on the fixtures whose outputs are committed. `vitest -u` updates them. */
const RUNS: readonly (readonly [
  source: string,
  expected: string,
  argv: readonly string[],
  stderr: string,
])[] = [
  [
    "tinker",
    "expected.jsonl",
    ["--input", "iteration_*/train_rollout_summaries.jsonl", "--objective", "reward>0"],
    "  read               11 rows, 0 errors, 4 warnings (non-finite-number, no-answer, no-text)\n" +
      "  skipped            2 no-text\n" +
      "  not read           19 x step_idx, 19 x ob_len, 19 x ac_len, 19 x episode_done, 18 x reward, 11 x /tags, 11 x /sampling_client_step, 11 x /final_reward, 11 x /trajectory_metrics, 11 x /final_ob_len, 3 x trace/reward_data, 2 x metrics, 1 x stop_reason, 1 x trace/env_state\n" +
      "  import             OUT  9 branches, 5 rollouts\n",
  ],
  [
    "tinker",
    "expected.traces.jsonl",
    [
      ...["--input", ".", "--allow-eval", "--traces", "--id-prefix", "run7-"],
      ...["--temperature", "0.7", "--objective", "correct=1", "--score", "correct"],
      ...["--score-range", "-1,1"],
    ],
    "  read               12 rows, 0 errors, 4 warnings (non-finite-number, no-answer, no-text)\n" +
      "  skipped            2 no-text\n" +
      "  not read           12 x /tags, 12 x /sampling_client_step, 12 x /final_reward, 12 x /final_ob_len, 11 x /total_reward\n" +
      "  import             OUT  10 branches, 6 rollouts\n",
  ],
  [
    "atif",
    "expected.jobs.jsonl",
    [
      "--input",
      "jobs",
      "--objective",
      "/extra/reward>=1",
      "--score-range",
      "0,1",
      "--score",
      "reward",
    ],
    "  read               4 trajectories, 0 errors, 1 warning (continued)\n" +
      "  skipped            1 continued, 1 step of copied context\n" +
      "  not read           11 x step_id, 3 x /agent/version, 3 x /agent/model_name, 1 x /final_metrics\n" +
      "  import             OUT  3 branches, 1 rollout\n",
  ],
  [
    "atif",
    "expected.trajectories.jsonl",
    [
      ...["--input", "trajectories.jsonl", "--objective", "reward>=1"],
      ...["--group-by", "/session_id", "--group-until", "__"],
    ],
    "  read               6 trajectories, 0 errors, 1 warning (no-text)\n" +
      "  skipped            1 no-text\n" +
      "  not read           23 x step_id, 6 x /agent/version, 6 x /agent/model_name, 1 x /final_metrics\n" +
      "  import             OUT  5 branches, 3 rollouts\n",
  ],
  [
    "messages",
    "expected.rows.jsonl",
    [
      ...["--input", "rows.jsonl"],
      ...["--map", "messages=/messages,tools=/tools,reward=/reward,group=/prompt_id"],
    ],
    "  read               3 rows, 0 errors, 0 warnings\n" +
      "  not read           1 x signature\n" +
      "  grouped            by /prompt_id\n" +
      "  import             OUT  3 branches, 1 rollout\n",
  ],
  ...PRESETS.map(([preset, rows, group, unread]): (typeof RUNS)[number] => [
    "messages",
    `expected.${preset}.jsonl`,
    ["--input", `${preset}.jsonl`, "--preset", preset],
    `  read               ${rows} rows, 0 errors, 0 warnings\n` +
      (unread && `  not read           ${unread}\n`) +
      `  grouped            by ${group}\n` +
      `  import             OUT  ${rows} branches, 2 rollouts\n`,
  ]),
];

describe.each(RUNS)("import %s, fixtures to %s", (source, expected, argv, stderr) => {
  const cwd = join(FIXTURES, source);

  test("the imported branches and the summary", async () => {
    const output = pathOf("out.jsonl");
    const found = await folder.run(["import", source, "--output", output, ...argv], { cwd });
    expect(found.exitCode).toBe(EXIT.ok);
    expect(found.stderr).toBe(stderr.replace("OUT", output));
    await expect(read("out.jsonl")).toMatchFileSnapshot(join(cwd, expected));
    expect(readLines("out.jsonl").every(isRolloutBranch)).toBe(true);
  });

  test("without a source, the files are recognised, and the branches are the same", async () => {
    const isPreset = argv.includes("--preset");
    const rest = isPreset ? argv.slice(0, argv.indexOf("--preset")) : argv;
    const output = pathOf("out.jsonl");
    const found = await folder.run(["import", "--output", output, ...rest], { cwd });
    expect(found.exitCode).toBe(EXIT.ok);
    // A map that has the conversation names rows.
    const isNamed = argv.includes("--map");
    const form = isPreset ? argv.at(-1) : source;
    expect(found.stderr.includes(`  recognised         ${form} (`)).toBe(!isNamed);
    await expect(read("out.jsonl")).toMatchFileSnapshot(join(cwd, expected));
  });

  test("the output is valid, and rank and export accept it", async () => {
    await folder.run(["import", source, "--output", pathOf("in.jsonl"), ...argv], { cwd });
    const runs = [
      ["validate", "in.jsonl"],
      ["rank", "--input", "in.jsonl", "--output", "ranked.jsonl"],
      ["export", "--input", "ranked.jsonl", "--allow-missing-g3"],
    ];
    for (const run of runs) {
      const { exitCode, stdout } = await folder.run(run);
      // Warnings are no faults; those of the import are compared above.
      expect(exitCode, `${run.join(" ")}\n${stdout}`).toBe(EXIT.ok);
    }
    expect(readLines("dpo.jsonl").length).toBeGreaterThan(0);
    const judged = readLines("ranked.jsonl").filter(
      (branch) => isRolloutBranch(branch) && branch.objective_status !== "unknown",
    );
    expect(readLines("ppo.jsonl")).toHaveLength(judged.length);
  });
});

describe.each([
  ["tinker", "iteration_000004/train_rollout_summaries.jsonl", "reward>0", "train-4-2"],
  ["atif", "trajectories.jsonl", "reward>0", "atif-"],
])("import %s, rank and export --target trl", (source, input, objective, id) => {
  test("give the conversation as it was: system prompt, tools, reasoning, a later user turn", async () => {
    const path = join(FIXTURES, source, input);
    const runs = [
      ["import", source, "--input", path, "--output", "captured.jsonl", "--objective", objective],
      ["rank", "--input", "captured.jsonl", "--output", "ranked.jsonl"],
      ["export", "--target", "trl", "--input", "ranked.jsonl", "--allow-missing-g3"],
    ];
    for (const run of runs) {
      expect((await folder.run(run)).exitCode, run.join(" ")).toBe(EXIT.ok);
    }
    const branches = readLines("captured.jsonl").filter(isRolloutBranch);
    expect(branches.map(findDisagreement)).toEqual(branches.map(() => undefined));
    const asked = branches.filter(({ task }) => task === "How many orders came in?");
    expect(asked).toHaveLength(2);
    expect(asked[0]?.rollout_id).toMatch(id);

    const system = "You answer questions about a shop. Ask when you are not sure.";
    const asksBack = {
      role: "assistant",
      content: "Do you mean today, or this week?",
      reasoning_content: "Which day is meant?",
    };
    const prompt = [
      { role: "system", content: system },
      { role: "user", content: "How many orders came in?" },
      asksBack,
      { role: "user", content: "Today." },
    ];
    const query = {
      name: "query",
      description: "Runs SQL on a database.",
      parameters: {
        type: "object",
        properties: { db: { type: "string" }, sql: { type: "string" } },
        required: ["db", "sql"],
      },
    };
    const [pair] = readLines("dpo.jsonl").filter((row) => JSON.stringify(row).includes("orders"));
    expect(pair).toMatchObject({
      prompt,
      chosen: [
        {
          role: "assistant",
          content: "I look it up.",
          reasoning_content: "SQL will tell.",
          tool_calls: [{ function: { name: "query", arguments: { db: ":memory:" } } }],
        },
      ],
      tools: [{ type: "function", function: query }],
    });
    const [whole] = readLines("ppo.jsonl").filter((row) => JSON.stringify(row).includes("orders"));
    expect(whole).toMatchObject({
      prompt: prompt.slice(0, 2),
      completion: [
        asksBack,
        { role: "user", content: "Today." },
        { role: "assistant", tool_calls: [{ id: "q1" }], reasoning_content: "SQL will tell." },
        { role: "tool", content: "14", tool_call_id: "q1", name: "query" },
        {
          role: "assistant",
          content: "14 orders came in today.",
          reasoning_content: "14 rows.",
        },
      ],
      tools: [{ type: "function", function: query }],
    });
  });
});

test("--redact replaces secrets in branches and rejects, and counts them", async () => {
  const rows = [
    rowOf({}, "mail bob@example.com"),
    rowOf({ traj_idx: 1, group_idx: "x" }, "mail amy@example.com"),
  ];
  folder.write("log.jsonl", rows.join(""));
  const argv = ["--input", "log.jsonl", "--redact", "--skip-invalid", "--rejects", "rejects.jsonl"];
  const { exitCode, stderr } = await importTinker(...argv);
  expect(exitCode).toBe(EXIT.ok);
  expect(stderr).toContain("  redact             1 secret: 1 email\n");
  for (const name of ["out.jsonl", "rejects.jsonl"]) {
    expect(read(name)).toContain("[redacted:email:");
    expect(read(name)).not.toContain("example.com");
  }
  expect(readLines("out.jsonl").every(isRolloutBranch)).toBe(true);
});

test("without --objective branches are not scored, and rank reports what is missing", async () => {
  folder.write("in.jsonl", rowOf({}));
  expect((await importTinker("--input", "in.jsonl")).exitCode).toBe(EXIT.ok);
  expect(readLines("out.jsonl")[0]).not.toHaveProperty("objective_status");
  const ranked = await folder.run(["rank", "--input", "out.jsonl", "--output", "ranked.jsonl"]);
  expect(ranked.exitCode).toBe(EXIT.findings);
  expect(ranked.stdout).toContain("(no-objective)");
});

describe("strict", () => {
  test("an invalid row is an error with its position, and the former output stays", async () => {
    folder.write("out.jsonl", "former");
    folder.write(
      "in.jsonl",
      `${rowOf({})}\n${rowOf({ traj_idx: "1" })}{"schema_version": NaN, "split": }\n${rowOf({ total_reward: 2 })}`,
    );
    const argv = ["--input", "in.jsonl", "--score-range", "0,1", "--objective", "format=1"];
    const { exitCode, stdout, stderr } = await importTinker(...argv);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      `in.jsonl:1:1  /trajectory_metrics/format  lacks "format", which --objective names  (metric-missing)`,
      `in.jsonl:3:76  /traj_idx  must be a non-negative integer, is "1"  (type)`,
      `in.jsonl:3:1  /trajectory_metrics/format  lacks "format", which --objective names  (metric-missing)`,
      `in.jsonl:4:34  (line)  not JSON: unexpected "}"  (json)`,
      `in.jsonl:5:1  /trajectory_metrics/format  lacks "format", which --objective names  (metric-missing)`,
      `in.jsonl:5:93  /total_reward  must be from 0 to 1 (--score-range), is 2  (score-range)`,
      "",
    ]);
    expect(stderr).toBe(
      "  read               4 rows, 6 errors, 0 warnings\n" +
        "  skipped            4 invalid rows\n" +
        "  import             nothing written: fix the errors first\n",
    );
    expect(read("out.jsonl")).toBe("former");
  });

  test("duplicate rows come from two runs: the message suggests a prefix", async () => {
    folder.write("1.jsonl", rowOf({}));
    folder.write("2.jsonl", rowOf({}, "5"));
    const { exitCode, stdout } = await importTinker("--input", "1.jsonl", "2.jsonl");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(
      /^2\.jsonl:1:\d+ {2}\/traj_idx .*--id-prefix tells two runs apart {2}\(branch-index-unique\)\n$/,
    );
  });

  test("a group with two tasks is an error at the task, in any row order", async () => {
    const other = rowOf({ traj_idx: 1 }, "6", "What is 3+3?");
    folder.write("in.jsonl", `${rowOf({})}${rowOf({ group_idx: 1 })}${other}`);
    const { exitCode, stdout } = await importTinker("--input", "in.jsonl");
    expect(exitCode).toBe(EXIT.findings);
    const column = other.indexOf('"What is 3+3?"') + 1;
    expect(stdout).toContain(`in.jsonl:3:${column}  /steps/0/trace/prompt/messages/0/content `);
    expect(stdout).toContain("(one-task-per-rollout)");
    expect(existsSync(pathOf("out.jsonl"))).toBe(false);
  });

  test("line and record rules are applied to the imported branches", async () => {
    const half = rowOf({}).replace("What is 2+2?", String.raw`half \ud83d`);
    const twice = rowOf({ traj_idx: 1 }).replace('"split"', '"note":1,"note":2,"split"');
    const large = rowOf({ traj_idx: 2 }).replace('"total_reward":1', '"total_reward":1e999');
    const deep = rowOf({ traj_idx: 3 }).replace(
      '"total_reward":1',
      `"total_reward":${"[".repeat(9000)}${"]".repeat(9000)}`,
    );
    folder.write("in.jsonl", half + twice + large + deep);
    const { stdout } = await importTinker("--input", "in.jsonl");
    expect(stdout).toMatch(/^in\.jsonl:1:\d+ +\/steps\/0\/.*\(well-formed-unicode\)$/m);
    expect(stdout).toMatch(/^in\.jsonl:2:30 +\/note .*\(duplicate-key\)$/m);
    expect(stdout).toMatch(/^in\.jsonl:3:\d+ +\/total_reward .*\(number-range\)$/m);
    expect(stdout).toMatch(/^in\.jsonl:4:\d+ +\/total_reward.*\(nesting-depth\)$/m);
    const argv = ["--input", "in.jsonl", "--rule", "duplicate-key=off", "--format", "json"];
    const { findings } = JSON.parse((await importTinker(...argv)).stdout);
    expect(findings.map(({ line }: { line: number }) => line)).toEqual([1, 3, 4]);
  });

  test("files without any branch are an error: a run that checked nothing must fail", async () => {
    folder.write("empty.jsonl", "\n");
    folder.write("untraced.jsonl", rowOf({}).replace(/"steps":.*\]/, '"steps":[]'));
    expect(await importTinker("--input", "empty.jsonl")).toMatchObject({
      exitCode: EXIT.findings,
      stdout: expect.stringContaining("(no-records)"),
    });
    expect(await importTinker("--input", "untraced.jsonl")).toMatchObject({
      exitCode: EXIT.findings,
      stdout: expect.stringMatching(/\(no-text\)\n.*\(no-records\)\n$/s),
    });
    expect(existsSync(pathOf("out.jsonl"))).toBe(false);
  });

  test("warnings beyond --max-warnings are errors", async () => {
    folder.write("in.jsonl", rowOf({}).replace('"total_reward":1', '"total_reward":NaN'));
    const found = await importTinker("--input", "in.jsonl", "--max-warnings", "0");
    expect(found.exitCode).toBe(EXIT.findings);
    expect(existsSync(pathOf("out.jsonl"))).toBe(false);
  });
});

describe("--skip-invalid", () => {
  const tasks = rowOf({ group_idx: 1, traj_idx: 1 }, "6", "What is 3+3?");
  const lines = [
    rowOf({}),
    rowOf({ group_idx: 1 }),
    "{\n",
    rowOf({ traj_idx: 1 }, "NaN").replace('"total_reward":1', '"total_reward":NaN'),
    tasks,
    rowOf({ traj_idx: 2 }).replace(/"steps":.*\]/, '"steps":[]'),
    rowOf({ traj_idx: 3 }),
  ];

  test.each<[string, (folder: TestFolder) => [argv: string[], stdin: string[]]]>([
    [
      "a file",
      (at) => {
        at.write("in.jsonl", lines.join(""));
        return [["--input", "in.jsonl"], []];
      },
    ],
    ["standard input", () => [["--input", "-"], lines]],
    [
      "a compressed file of any name",
      (at) => {
        at.write("in.log", gzipSync(lines.join("")));
        return [["--input", "in.log"], []];
      },
    ],
  ])(
    "omits rows and rollouts of %s, with a warning each, and keeps them as rejects",
    async (_, create) => {
      const [input, stdin] = create(folder);
      const argv = ["--skip-invalid", "--rejects", "rejects.jsonl", ...input];
      const { exitCode, stdout, stderr } = await folder.run(
        ["import", "tinker", "--output", "out.jsonl", ...argv],
        { stdin },
      );
      expect([exitCode, stdout.match(/\([a-z-]+\)$/gm)]).toEqual([
        EXIT.ok,
        ["(json)", "(non-finite-number)", "(no-text)", "(one-task-per-rollout)"],
      ]);
      expect(stderr).toContain(
        "  skipped            1 no-text, 1 invalid row, 1 invalid rollout (2 branches)\n",
      );
      expect(stderr).toContain("out.jsonl  3 branches, 1 rollout\n");
      expect(readLines("out.jsonl")).toMatchObject(
        [0, 1, 3].map((branch_index) => ({ branch_index })),
      );
      expect(readLines("rejects.jsonl")).toMatchObject(
        [2, 5, 1, 4].map((index) => ({ line: index + 1, text: lines[index]?.trimEnd() })),
      );
    },
  );

  test("without --rejects the output is the same", async () => {
    folder.write("in.jsonl", lines.join(""));
    expect((await importTinker("--input", "in.jsonl", "--skip-invalid")).exitCode).toBe(EXIT.ok);
    expect(readLines("out.jsonl")).toHaveLength(3);
  });

  test("rows without a branch are kept as rejects in a strict run too", async () => {
    folder.write("in.jsonl", `${lines[0]}${lines[5]}`);
    await importTinker("--input", "in.jsonl", "--rejects", "rejects.jsonl");
    expect(readLines("rejects.jsonl")).toMatchObject([{ line: 2, findings: [{ id: "no-text" }] }]);
  });
});

describe("evaluations", () => {
  beforeEach(() => {
    folder.write("train_rollout_summaries.jsonl", rowOf({}));
    folder.write("eval_x_rollout_summaries.jsonl", rowOf({ split: "eval/x" }));
  });

  test("their files are rejected without being read", async () => {
    const { exitCode, stdout, stderr } = await importTinker("--input", ".");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(
      /^eval_x_rollout_summaries\.jsonl:1:1 .*--allow-eval.*\(eval-rollouts\)\n$/,
    );
    expect(stderr).toContain("1 refused file");
  });

  test("they are omitted with --skip-invalid, and imported with --allow-eval", async () => {
    expect((await importTinker("--input", ".", "--skip-invalid")).exitCode).toBe(EXIT.ok);
    expect(readLines("out.jsonl")).toHaveLength(1);
    expect((await importTinker("--input", ".", "--allow-eval")).exitCode).toBe(EXIT.ok);
    expect(readLines("out.jsonl")).toHaveLength(2);
  });

  test("the position of a fault is correct after a rejected file", async () => {
    folder.write("zip.jsonl.gz", gzipSync(rowOf({}, "4", "Other?")));
    const files = [
      "eval_x_rollout_summaries.jsonl",
      "train_rollout_summaries.jsonl",
      "zip.jsonl.gz",
    ];
    const argv = ["--skip-invalid", "--max-warnings", "9", "--input", ...files];
    const { stdout } = await importTinker(...argv);
    expect(stdout).toMatch(/^zip\.jsonl\.gz:1:1 .*\(branch-index-unique\)$/m);
  });
});

describe("trajectories", () => {
  const document = {
    schema_version: "ATIF-v1.7",
    agent: { name: "a", version: "1" },
    steps: [
      { source: "user", message: "Hi." },
      { source: "agent", message: "Hello." },
    ],
  };

  test("findings in a document have line and column", async () => {
    const wrong = { ...document, steps: [{ source: "user", message: 7 }] };
    folder.write("wrong.json", `\ufeff${JSON.stringify(wrong, null, 2)}\r\n`);
    folder.write("broken.json", `{\n  "schema_version": NaN,\n  "steps": [}\n`);
    folder.write(
      "later.json",
      JSON.stringify({ ...document, schema_version: "ATIF-v2.0" }, null, 1),
    );
    const names = ["wrong.json", "broken.json", "later.json"];
    const { stdout } = await importAtif("--input", ...names);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/, 2).join(" "))).toEqual([
      "wrong.json:10:18 /steps/0/message",
      "broken.json:3:13 (line)",
      "later.json:2:20 /schema_version",
      "",
    ]);
  });

  test("documents and lines can be mixed; an omitted document is kept as a whole", async () => {
    const printed = JSON.stringify({ ...document, steps: [] }, null, "\t");
    folder.write("none.json", gzipSync(printed));
    folder.write("one.json", JSON.stringify(document, null, 2));
    folder.write("two.jsonl", `${JSON.stringify(document)}\n${JSON.stringify(document)}\n`);
    const argv = ["--rejects", "rejects.jsonl", "--input", "none.json", "one.json", "two.jsonl"];
    expect((await importAtif(...argv)).exitCode).toBe(EXIT.ok);
    expect(readLines("out.jsonl")).toMatchObject(
      [0, 1, 2].map((branch_index) => ({ branch_index })),
    );
    expect(readLines("rejects.jsonl")).toMatchObject([
      { file: "none.json", line: 1, text: printed },
    ]);
  });

  test("if trajectories of a group have two tasks, the task is located in its document", async () => {
    const other = { ...document, steps: [{ source: "user", message: "Bye." }, document.steps[1]] };
    folder.write("a.json", JSON.stringify({ ...document, session_id: "s" }, null, 2));
    folder.write("b.json", JSON.stringify({ ...other, session_id: "s" }, null, 2));
    const { stdout } = await importAtif("--group-by", "/session_id", "--input", "a.json", "b.json");
    expect(stdout).toMatch(/^b\.json:10:18 {2}\/steps\/0\/message .*\(one-task-per-rollout\)\n$/);
  });
});

describe("a usage error is one line and exit code 2", () => {
  test.each<[string[], string]>([
    [["atif", "--allow-eval"], "--allow-eval does not apply to atif"],
    [["tinker", "--group-by", "task"], "--group-by does not apply to tinker"],
    [["tinker", "--preset", "trl"], "--preset does not apply to tinker"],
    [["atif", "--explain-map"], "--explain-map does not apply to atif"],
    [["messages", "--preset", "tr"], "there is no such preset (did you mean trl?)"],
    [["messages", "--map", "text=/text"], '"text" is no field: use messages, prompt'],
    [
      ["messages", "--preset", "trl", "--group-by", "task"],
      "--group-by does not apply to messages",
    ],
    [["tinker", "--objective", "reward"], '--objective "reward": write <metric>'],
    [["tinker", "--score-range", "1,0"], '--score-range "1,0": write <lowest>,<highest>'],
    [["tinker", "--score", "x"], "--score requires --score-range"],
    [["tinker", "--temperature", "hot"], "It must be a non-negative number."],
    [["tinker", "--temperature", "-1"], "It must be a non-negative number."],
    [["tinker", "--output", "in.jsonl"], "output in.jsonl: is also an input"],
    [
      ["--group-by", "task"],
      "--group-by does not apply to tinker, which in.jsonl is recognised as",
    ],
  ])("%j", async (argv, message) => {
    folder.write("in.jsonl", rowOf({}));
    const common = ["--input", "in.jsonl", "--output", "out.jsonl"];
    const { exitCode, stdout, stderr } = await folder.run([
      "import",
      ...common.slice(0, argv.includes("--output") ? 2 : 4),
      "--format",
      "text",
      ...argv,
    ]);
    expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toContain(message);
    expect(stderr.split("\n")).toHaveLength(2);
  });
});

test("an unreadable input gives exit code 3", async () => {
  const missing = await importTinker("--input", "missing.jsonl");
  expect([missing.exitCode, missing.stderr]).toEqual([
    EXIT.unreadable,
    "missing.jsonl: no such file\n",
  ]);
  expect((await importTinker("--input", ".")).exitCode).toBe(EXIT.unreadable);
  folder.write("binary.jsonl", new Uint8Array([0, 1, 2]));
  expect((await importTinker("--input", "binary.jsonl")).exitCode).toBe(EXIT.unreadable);
});

test("every form has a unique name, and forms share an option only if it is one object", () => {
  const ids = forms.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const options = new Set(forms.flatMap((form) => form.options));
  expect(new Set([...options].map(({ flags }) => flags)).size).toBe(options.size);
});
