import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  isDpoRecord,
  isDpoTrainingRecord,
  isPpoRecord,
  isPpoTrainingRecord,
  type ToolEvent,
} from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const task = "Please tell me what the sum of two and two is";
const branches = [
  createBranch({ rollout_id: "r-1", task }),
  createBranch({
    rollout_id: "r-1",
    task,
    branch_index: 1,
    rank: 2,
    total_score: 0,
    final_answer: "5",
  }),
  createBranch({ rollout_id: "r-2", task: "What is 3+3?" }),
];
const cleanEval = '{"id": "e-1", "text": "something else"}\n';
const dirtyEval = `${cleanEval}{"id": "e-2", "text": "Tell me what the sum of two and two is!"}\n`;

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function readLines(name: string): unknown[] {
  const lines = readFileSync(join(folder.path, name), "utf8").trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

function files(): string[] {
  return readdirSync(folder.path).sort();
}

describe("two files from ranked branches", () => {
  test("Layer 2 contains the tool events of the branch byte for byte", async () => {
    const call = '{ "event": "tool_call", "data": {"toolName":"a","args":{"x":1.0},"callId":"1"} }';
    const events = [`[ ${call} ]`, `[ ${call},${call}]`, '[ {"tool_name":"a","args":1.0} ]'];
    const lines = branches.map((branch, index) =>
      JSON.stringify(branch).replace(
        '"tool_call_sequence":[]',
        `"tool_call_sequence":${events[index]}`,
      ),
    );
    folder.write("in.jsonl", lines.join("\n"));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", "wire"];
    expect(await folder.run(argv)).toMatchObject({ exitCode: EXIT.ok });
    const copied = (name: string): (string | undefined)[] =>
      readFileSync(join(folder.path, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => /"tool_call_sequence":(.*),"provenance"/.exec(line)?.[1]);
    expect(copied("ppo.jsonl")).toEqual(events);
    expect(copied("dpo.jsonl")).toEqual(events.slice(0, 1));
  });

  test("records for TRL by default, in the working folder", async () => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval.jsonl", cleanEval);
    expect(
      await folder.run(["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"]),
    ).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr: [
        "  validate           3 branches, 2 rollouts, 0 errors, 0 warnings",
        "  decontamination    2 tasks against 1 evaluation item, n = 8: clean",
        "  export             dpo.jsonl  1 pair: 1 after identical turns",
        "                     ppo.jsonl  3 records",
        "  not paired         1 single-branch",
        "",
      ].join("\n"),
    });
    expect(files()).toEqual(["dpo.jsonl", "eval.jsonl", "in.jsonl", "ppo.jsonl"]);
    const user = { role: "user", content: task };
    expect(readLines("dpo.jsonl")).toMatchObject([
      {
        prompt: [user],
        chosen: [{ role: "assistant", content: "four" }],
        rejected: [{ role: "assistant", content: "5" }],
      },
    ]);
    expect(readLines("ppo.jsonl")).toMatchObject([{ prompt: [user] }, { prompt: [user] }, {}]);
  });

  test("training records", async () => {
    folder.write("in.jsonl", toLines(branches));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", "training"];
    expect(await folder.run(argv)).toMatchObject({ exitCode: EXIT.ok });
    expect(readLines("dpo.jsonl").map(isDpoTrainingRecord)).toEqual([true]);
    expect(readLines("ppo.jsonl").map(isPpoTrainingRecord)).toEqual([true, true, true]);
  });

  test.each(["dpo", "ppo"])("--output-%s alone writes nothing else", async (kind) => {
    folder.write("in.jsonl", toLines(branches));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", `--output-${kind}`, "x"];
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, files()]).toEqual([EXIT.ok, ["in.jsonl", "x"]]);
    expect(stderr).toMatch(
      kind === "dpo" ? /x {2}1 pair: 1 after identical turns\n/ : /x {2}3 records\n$/,
    );
  });

  test("wire records, from several inputs given in both ways, under other names", async () => {
    folder.write("a.jsonl", toLines(branches.slice(0, 1)));
    folder.write("b.jsonl", toLines(branches.slice(1, 2)));
    const result = await folder.run(
      [
        ...["export", "--input", "a.jsonl", "b.jsonl", "--allow-missing-g3", "--input", "-"],
        ...["--target", "wire", "--exported-at-ms", "1700000000000"],
        ...["--output-dpo", "pairs", "--output-ppo", "rewards"],
      ],
      { stdin: [toLines(branches.slice(2))] },
    );
    expect(result).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr: [
        "  validate           3 branches, 2 rollouts, 0 errors, 0 warnings",
        "  decontamination    skipped (--allow-missing-g3): the outputs may contain evaluation items",
        "  export             pairs    1 pair",
        "                     rewards  3 records",
        "  not paired         1 single-branch",
        "",
      ].join("\n"),
    });
    const records = [...readLines("pairs"), ...readLines("rewards")];
    expect([isDpoRecord(records[0]), ...records.slice(1).map(isPpoRecord)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    for (const record of records) {
      expect(record).toMatchObject({ provenance: { exported_at_ms: 1_700_000_000_000 } });
    }
  });

  test("warnings do not prevent an export, and omissions are counted", async () => {
    const events = [{ tool_name: "add", args: {}, result: 4 }, { note: "?" }];
    folder.write("in.jsonl", toLines([createBranch({ tool_call_sequence: events })]));
    expect(await folder.run(["export", "--input", "in.jsonl", "--allow-missing-g3"])).toEqual({
      exitCode: EXIT.ok,
      stdout: expect.stringMatching(
        /^in\.jsonl:1:\d+ {2}\/tool_call_sequence\/0 {2}warning: 2 of 2 tool events in another dialect: 1 flat, 1 neither a call nor a result {2}\(tool-event-dialect\)\n$/,
      ),
      stderr: [
        "  validate           1 branch, 1 rollout, 0 errors, 1 warning (tool-event-dialect)",
        "  decontamination    skipped (--allow-missing-g3): the outputs may contain evaluation items",
        "  export             dpo.jsonl  0 pairs",
        "                     ppo.jsonl  1 record",
        "  not paired         1 single-branch",
        "  missing tools      1 branch that calls tools declares none (context.tools)",
        "  skipped            1 tool event: neither a call nor a result",
        "",
      ].join("\n"),
    });
  });

  test("wire records omit no tool event", async () => {
    folder.write("in.jsonl", toLines([createBranch({ tool_call_sequence: [{ note: "?" }] })]));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", "wire"];
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).not.toMatch(/^ {2}skipped/m);
    expect(readLines("ppo.jsonl")).toMatchObject([{ tool_call_sequence: [{ note: "?" }] }]);
  });

  test("an evaluation set is read like any input: compressed, and from standard input", async () => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval", gzipSync(`\ufeff${cleanEval}`));
    const argv = ["export", "--input", "in.jsonl", "--eval-items"];
    const expected = "against 1 evaluation item, n = 8: clean\n";
    const compressed = await folder.run([...argv, "eval"]);
    expect([compressed.exitCode, compressed.stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining(expected),
    ]);
    const piped = await folder.run([...argv, "-"], { stdin: [cleanEval] });
    expect([piped.exitCode, piped.stderr]).toEqual([EXIT.ok, expect.stringContaining(expected)]);
  });
});

describe("on an error the former outputs stay", () => {
  beforeEach(() => {
    folder.write("dpo.jsonl", "former pairs");
    folder.write("ppo.jsonl", "former rewards");
  });
  afterEach(() => {
    const contents = ["dpo.jsonl", "ppo.jsonl"].map((name) =>
      readFileSync(join(folder.path, name), "utf8"),
    );
    expect(contents).toEqual(["former pairs", "former rewards"]);
    expect(files().filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("invalid records are listed as in validate", async () => {
    const invalid = toLines([{ ...branches[0], temperature: -1 }]);
    folder.write("in.jsonl", `${toLines(branches)}${invalid}NaN\n`);
    const exported = await folder.run(["export", "--input", "in.jsonl", "--allow-missing-g3"]);
    const validated = await folder.run(["validate", "in.jsonl"]);
    expect(exported).toEqual({
      exitCode: EXIT.findings,
      stdout: validated.stdout,
      stderr: [
        "  validate           3 branches, 2 invalid records, 2 errors, 0 warnings",
        "  export             nothing written: fix the errors first",
        "",
      ].join("\n"),
    });
    expect(exported.stdout).toContain("must be >= 0, is -1");
  });

  test("ranks from 0 get the hint that validate gives", async () => {
    const zeroBased = branches.map((branch) => ({ ...branch, rank: branch.rank - 1 }));
    folder.write("in.jsonl", toLines(zeroBased));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3"];
    const exported = await folder.run(argv);
    const hint = "add 1 to each, or rank it again  (zero-based-ranks)\n";
    for (const { stdout } of [exported, await folder.run(["validate", "in.jsonl"])]) {
      const lines = stdout.split("\n").filter((line) => `${line}\n`.endsWith(hint));
      expect(lines.map((line) => line.split(" ", 1))).toEqual([
        [expect.stringMatching(/^in\.jsonl:1:/)],
        [expect.stringMatching(/^in\.jsonl:3:/)],
      ]);
    }
    expect(exported.stderr).toContain("2 errors, 2 warnings (zero-based-ranks)\n");
    const off = await folder.run([...argv, "--rule", "zero-based-ranks=off"]);
    expect([off.exitCode, off.stdout.includes("zero-based")]).toEqual([EXIT.findings, false]);
  });

  test("another fault beside a rank of 0 is the only one that is told", async () => {
    folder.write("in.jsonl", toLines([{ ...branches[0], rank: 0, temperature: -1 }]));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3"];
    expect((await folder.run(argv)).stdout).not.toContain("zero-based");
  });

  test.each([
    [["--skip", "invalid"], [{ ...branches[0], temperature: -1 }, {}], "minimum, required"],
    [["--skip-invalid"], [{ ...branches[0], temperature: -1 }], "minimum"],
    [["--skip", "errored"], [{ ...branches[0], branch_error: { kind: "k" } }], "errored"],
    [["--skip", "contaminated", "--eval-items", "eval.jsonl"], branches.slice(0, 2), "g3"],
  ])("%j with nothing left says that all was left out, and why", async (skip, records, why) => {
    folder.write("in.jsonl", toLines(records));
    folder.write("eval.jsonl", dirtyEval);
    const gate = skip.includes("--eval-items") ? [] : ["--allow-missing-g3"];
    const argv = ["export", "--input", "in.jsonl", ...skip, ...gate];
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.findings);
    const what =
      records.length === 1 ? "the only branch was" : `all ${records.length} branches were`;
    expect(stderr).toContain(`  export             nothing written: ${what} left out (${why})\n`);
    expect(stderr).toContain(" 1 error, ");
    expect(stderr).not.toContain("fix the errors");
    expect(stderr).not.toContain(" 0 errors");
  });

  test("tasks are not compared while the input has errors, because the gate would skip some", async () => {
    folder.write("in.jsonl", toLines([...branches, { ...branches[0], rank: 0 }]));
    folder.write("eval.jsonl", dirtyEval);
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"];
    const { exitCode, stdout, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).not.toContain("(g3)");
    expect(stderr).not.toContain("decontamination");
  });

  test("unranked branches among ranked ones get a hint", async () => {
    const {
      objective_score: _score,
      rank: _rank,
      total_score: _total,
      ...unranked
    } = createBranch();
    folder.write("in.jsonl", toLines([createBranch({ rollout_id: "ranked" }), unranked]));
    expect(await folder.run(["export", "--input", "in.jsonl", "--allow-missing-g3"])).toEqual({
      exitCode: EXIT.findings,
      stdout: [
        'in.jsonl:2:1  (line)  lacks "objective_score"  (required)',
        'in.jsonl:2:1  (line)  lacks "rank"             (required)',
        'in.jsonl:2:1  (line)  lacks "total_score"      (required)',
        "",
      ].join("\n"),
      stderr: [
        "  validate           1 branch, 1 invalid record, 3 errors, 0 warnings",
        "                     1 record is an unranked branch (RolloutBranch): rank them first",
        "  export             nothing written: fix the errors first",
        "",
      ].join("\n"),
    });
  });

  test("an input without records", async () => {
    folder.write("in.jsonl", "\n");
    const { exitCode, stdout } = await folder.run([
      "export",
      "--input",
      "in.jsonl",
      "--allow-missing-g3",
    ]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toBe(
      "in.jsonl:1:1  (line)  contains no records: nothing was checked  (no-records)\n",
    );
  });

  test("nesting that readers of the outputs could not handle", async () => {
    const depth = 100_000;
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    folder.write(
      "in.jsonl",
      toLines(branches)
        .replace('"four"}', `"four","x":${deep}}`)
        .replace('"rank":1', `"x":${deep},"rank":1`),
    );
    const { exitCode, stdout } = await folder.run([
      "export",
      "--input",
      "in.jsonl",
      "--allow-missing-g3",
    ]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toBe(
      "in.jsonl:1:1  /x/0/0/0  nested more than 400 levels deep: cannot be exported  (nesting-depth)\n",
    );
  });

  test("a number that cannot be written as JSON, in a valid record", async () => {
    const args = '{"tool_name":"get","args":{"limits":[0,1e400]}}';
    const line = toLines([createBranch({ rollout_id: "r-3" })]).replace("[]", `[${args}]`);
    folder.write("in.jsonl", `${toLines(branches)}${line}`);
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--max-warnings", "1"];
    expect(await folder.run(argv)).toEqual({
      exitCode: EXIT.findings,
      stdout: expect.stringContaining(
        `\nin.jsonl:4:${line.indexOf("1e400") + 1}  /tool_call_sequence/0/args/limits/1  beyond the range of numbers, read as Infinity: cannot be exported  (number-range)\n`,
      ),
      stderr: [
        "  validate           3 branches, 1 invalid record, 1 error, 1 warning (tool-event-dialect)",
        "  export             nothing written: fix the errors first",
        "",
      ].join("\n"),
    });
    expect((await folder.run(["validate", "in.jsonl"])).exitCode).toBe(EXIT.ok);
    folder.write("in.jsonl", line.replace("0.7", "1e400"));
    const invalid = await folder.run(argv);
    expect(invalid.stdout).toMatch(/ must be a number, is Infinity {2}\(type\)\n$/);
    expect(invalid.stdout).not.toContain("number-range");
  });

  test("more warnings than --max-warnings", async () => {
    const foreign = createBranch({ tool_call_sequence: [{ tool_name: "add", args: {} }] });
    folder.write("in.jsonl", toLines([foreign, { ...foreign, branch_index: 1, rank: 2 }]));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--max-warnings", "1"];
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.findings);
    expect(stderr).toContain("2 branches, 1 rollout, 1 error, 1 warning (tool-event-dialect)\n");
  });

  test("a task that overlaps the evaluation set: gate G3", async () => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval.jsonl", dirtyEval);
    const column = toLines(branches).indexOf('"Please') + 1;
    expect(
      await folder.run(["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"]),
    ).toEqual({
      exitCode: EXIT.findings,
      stdout: `in.jsonl:1:${column}  /task  rollout "r-1" shares "tell me what the sum of two and" with evaluation item "e-2" (eval.jsonl:2), overlap ratio 1, longest span 10  (g3)\n`,
      stderr: [
        "  validate           3 branches, 2 rollouts, 0 errors, 0 warnings",
        "  decontamination    2 tasks against 2 evaluation items, n = 8: 1 rollout contaminated",
        "  export             nothing written: skip contaminated rollouts (--skip contaminated)",
        "",
      ].join("\n"),
    });
  });

  test("G3 with the field given by --eval-field", async () => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval.jsonl", '{"text": "something else", "body": "What is 3+3?"}\n');
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"];
    const { exitCode, stdout } = await folder.run([...argv, "--eval-field", "body"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain('rollout "r-2" shares "what is 3 3" with evaluation item "#1"');
    expect(await folder.run([...argv, "--eval-field", "title"])).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "eval.jsonl:1: an evaluation item without text in the field title\n",
    });
  });

  test("G3 with longer n-grams, and as JSON", async () => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval.jsonl", dirtyEval);
    const { exitCode, stdout } = await folder.run([
      ...["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"],
      ...["--n", "13", "--format", "json"],
    ]);
    // The item is shorter than n, and all of it occurs in the task.
    expect(exitCode).toBe(EXIT.findings);
    expect(JSON.parse(stdout)).toMatchObject({
      command: "export",
      checked: 3,
      findings: [{ id: "g3", severity: "error", file: "in.jsonl", line: 1, pointer: "/task" }],
      summary: { errors: 1, warnings: 0 },
    });
  });
});

describe("--redact", () => {
  const withSecrets = [
    createBranch({ rollout_id: "r-1", task: `${task}, bob@example.com`, final_answer: "4" }),
    createBranch({
      rollout_id: "r-1",
      task: `${task}, bob@example.com`,
      branch_index: 1,
      rank: 2,
      total_score: 0,
      final_answer: 'password = "hunter2!"',
    }),
  ];
  const redacted = "[redacted:email:";

  test("replaces secrets in every output, and counts them", async () => {
    const broken = JSON.stringify({
      ...withSecrets[0],
      rollout_id: "r-2",
      task: 1,
      note: "amy@example.com",
    });
    folder.write("in.jsonl", `${toLines(withSecrets)}${broken}\n`);
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--redact"];
    const { exitCode, stderr } = await folder.run([
      ...argv,
      ...["--report", "report.json", "--skip-invalid", "--rejects", "rejects.jsonl"],
    ]);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("  redact             3 secrets: 2 email, 1 secret\n");
    for (const name of ["dpo.jsonl", "ppo.jsonl", "rejects.jsonl", "report.json"]) {
      const text = readFileSync(join(folder.path, name), "utf8");
      expect(text).not.toMatch(/example\.com|hunter2/);
      if (name !== "report.json") expect(text).toContain(redacted);
    }
    const report: unknown = JSON.parse(readFileSync(join(folder.path, "report.json"), "utf8"));
    expect(report).toMatchObject({ redacted: { email: 2, secret: 1 } });
    const [pair] = readLines("dpo.jsonl");
    expect(pair).toMatchObject({ provenance: { rollout_id: "r-1" } });
    await folder.run([...argv, "--skip-invalid", "--target", "training"]);
    expect(await folder.run(["validate", "dpo.jsonl", "ppo.jsonl"])).toMatchObject({
      exitCode: EXIT.ok,
    });
  });

  test("neither findings nor the report nor the rejects quote a secret", async () => {
    const secret = "hunter2!";
    const cut = `${"note ".repeat(9)}ghp_q7Zk2Vx9Lm4Tb8Rw3Hn6Ys5Pd0Jc1Fgq7Zk2V`;
    const wrong = { temperature: cut, branch_index: secret, rank: "amy@example.com" };
    const id = "of amy@example.com";
    const lines = [
      { ...withSecrets[0], ...wrong },
      { ...withSecrets[0], rollout_id: id },
      createBranch({ rollout_id: "r-9", task: "What is 3+3?" }),
    ];
    folder.write("in.jsonl", toLines(lines));
    folder.write("eval.jsonl", '{"text":"sum of two and two is, bob@example.com"}\n');
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl", "--redact"];
    const files = ["--skip-invalid", "--drop-contaminated", "--rejects", "rejects.jsonl"];
    folder.write("values", `${secret}\n`);
    for (const format of ["text", "json", "sarif", "junit", "github"]) {
      const { stdout, stderr } = await folder.run([
        ...[...argv, ...files, "--report", "report.json", "--format", format],
        ...["--redact-values", "values"],
      ]);
      const report = readFileSync(join(folder.path, "report.json"), "utf8");
      expect(JSON.parse(report)).toMatchObject({ lines: { read: 3, invalid: 1 } });
      expect(stdout).toContain("temperature");
      expect(stdout + stderr + report).not.toMatch(/example\.com|hunter2|ghp_q7/);
    }
    const rejects = readFileSync(join(folder.path, "rejects.jsonl"), "utf8");
    expect(rejects).not.toMatch(/example\.com|hunter2|ghp_q7/);
  });

  test("tasks are compared with the evaluation set as they were read", async () => {
    folder.write("in.jsonl", toLines(withSecrets));
    folder.write("eval.jsonl", '{"text":"sum of two and two is, bob@example.com"}\n');
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl", "--redact"];
    expect(await folder.run(argv)).toMatchObject({
      exitCode: EXIT.findings,
      stderr: expect.stringContaining("1 rollout contaminated"),
    });
  });

  test("secrets in tool events are replaced in wire records", async () => {
    const events =
      '[{"event":"tool_call","data":{"toolName":"a","args":{"to":"bob@example.com"},"callId":"1"}}]';
    const line = JSON.stringify(withSecrets[0]).replace("[]", events);
    folder.write("in.jsonl", `${line}\n`);
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", "wire"];
    await folder.run([...argv, "--redact"]);
    expect(readLines("ppo.jsonl")).toMatchObject([
      { tool_call_sequence: [{ data: { args: { to: expect.stringContaining(redacted) } } }] },
    ]);
  });

  test("its options require it", async () => {
    folder.write("key", "0123456789abcdef");
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--redact-key", "key"];
    folder.write("in.jsonl", toLines(withSecrets));
    expect(await folder.run(argv)).toMatchObject({
      exitCode: EXIT.usage,
      stderr: expect.stringMatching(/^--redact-key requires --redact\n/),
    });
  });
});

describe("requests that are rejected before anything is read", () => {
  const usage = (stderr: string) => ({ exitCode: EXIT.usage, stdout: "", stderr: `${stderr}\n` });
  beforeEach(() => {
    folder.write("in.jsonl", toLines(branches));
    folder.write("eval.jsonl", cleanEval);
  });
  afterEach(() => {
    expect(readFileSync(join(folder.path, "in.jsonl"), "utf8")).toBe(toLines(branches));
    expect(readFileSync(join(folder.path, "eval.jsonl"), "utf8")).toBe(cleanEval);
  });

  test("no evaluation set", async () => {
    expect(await folder.run(["export", "--input", "in.jsonl"])).toEqual(
      usage(
        "no evaluation set to decontaminate against: give --eval-items FILE, or --allow-missing-g3 to export without",
      ),
    );
    expect(files()).toEqual(["eval.jsonl", "in.jsonl"]);
  });

  test("an output that is an input under another name", async () => {
    symlinkSync("eval.jsonl", join(folder.path, "link"));
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl"];
    expect(await folder.run([...argv, "--output-dpo", "./in.jsonl"])).toEqual(
      usage("output ./in.jsonl: is also an input"),
    );
    expect(await folder.run([...argv, "--output-ppo", "link"])).toEqual(
      usage("output link: is also an input"),
    );
    expect(
      await folder.run([...argv, "--output-ppo", "dpo.jsonl", "--output-dpo", "dpo.jsonl"]),
    ).toEqual(usage("output dpo.jsonl: is given for two outputs"));
  });

  test("an output named like standard output", async () => {
    folder.write("in.jsonl", toLines(branches));
    const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--output-dpo", "-"];
    expect(await folder.run(argv)).toEqual(usage("output -: this command writes files: name one"));
  });

  test("standard input as both the rollouts and the evaluation set", async () => {
    const result = await folder.run(["export", "--input", "-", "--eval-items", "-"], {
      stdin: [toLines(branches)],
    });
    expect(result).toEqual(usage("<stdin>: given twice; name each input once"));
  });

  test("an evaluation set that is missing, or has nothing to compare with", async () => {
    const argv = ["export", "--input", "in.jsonl", "--eval-items"];
    expect(await folder.run([...argv, "none.jsonl"])).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "none.jsonl: no such file\n",
    });
    writeFileSync(join(folder.path, "empty.jsonl"), "");
    const { exitCode, stderr } = await folder.run([...argv, "empty.jsonl"]);
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stderr).toMatch(/empty\.jsonl[^\n]*\n$/);
    expect(files()).toEqual(["empty.jsonl", "eval.jsonl", "in.jsonl"]);
  });

  test("an invalid n", async () => {
    const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.jsonl", "--n", "0"];
    expect((await folder.run(argv)).exitCode).toBe(EXIT.usage);
  });
});

describe("rules", () => {
  const gap = [
    createBranch({ rollout_id: "r-1" }),
    createBranch({ rollout_id: "r-2" }),
    createBranch({ rollout_id: "r-2", branch_index: 1, rank: 3, total_score: 0.1 }),
  ];
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", "wire"];

  async function exported(...options: string[]) {
    folder.write("in.jsonl", toLines(gap));
    const { exitCode, stderr } = await folder.run([...argv, ...options]);
    const [validated = ""] = stderr.split("\n");
    return [exitCode, validated.replace(/^ *validate */, "")];
  }

  test("an error: nothing is written; gaps in ranks are accepted if lines may be omitted", async () => {
    expect(await exported()).toEqual([
      EXIT.findings,
      "3 branches, 2 rollouts, 1 invalid rollout (2 branches), 1 error, 0 warnings",
    ]);
    expect(await exported("--skip-invalid")).toEqual([
      EXIT.ok,
      "3 branches, 2 rollouts, 0 errors, 1 warning (rank-permutation)",
    ]);
  });

  test("a warning: the rollout is exported, and reported", async () => {
    const warned = [EXIT.ok, "3 branches, 2 rollouts, 0 errors, 1 warning (rank-permutation)"];
    expect(await exported("--rule", "rank-permutation=warn")).toEqual(warned);
    expect(await exported("--profile", "lenient")).toEqual(warned);
    expect(await exported("--rule", "rank-permutation=off")).toEqual([
      EXIT.ok,
      "3 branches, 2 rollouts, 0 errors, 0 warnings",
    ]);
  });
});

describe("pairs", () => {
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--output-dpo", "dpo.jsonl"];
  const rollout = [1.2, 0.9, 0.1].map((total_score, index) =>
    createBranch({
      branch_index: index,
      rank: index + 1,
      total_score,
      final_answer: `answer ${index}`,
    }),
  );
  const paired = (): unknown[] =>
    readLines("dpo.jsonl").map((record) => {
      const { provenance } = Object(record);
      return `${provenance.chosen_branch}-${provenance.rejected_branch}`;
    });

  test.each([
    [[], ["0-2"]],
    [
      ["--pairing", "adjacent"],
      ["1-2", "0-1"],
    ],
    [
      ["--pairing", "all"],
      ["0-2", "1-2", "0-1"],
    ],
    [
      ["--pairing", "all", "--min-gap", "0.5"],
      ["0-2", "1-2"],
    ],
    [["--pairing", "all", "--max-pairs-per-rollout", "1"], ["0-2"]],
  ])("%j", async (options, expected) => {
    folder.write("in.jsonl", toLines(rollout));
    expect(await folder.run([...argv, ...options])).toMatchObject({ exitCode: EXIT.ok });
    expect(paired()).toEqual(expected);
  });

  test("a rollout without a known verdict has no label, which is counted", async () => {
    const unknown = rollout.map((branch) => ({
      ...branch,
      objective_status: "unknown" as const,
      objective_score: 0 as const,
    }));
    folder.write("in.jsonl", toLines(unknown));
    const [, ...rest] = argv;
    const given = ["export", ...rest.slice(0, 3), "--target", "trl-kto"];
    const { stderr } = await folder.run(given);
    expect(stderr).toContain("  no record          1 unknown-objective\n");
  });

  test("a gap that is too small is a reason", async () => {
    folder.write("in.jsonl", toLines(rollout));
    const { stderr } = await folder.run([...argv, "--min-gap", "2"]);
    expect(stderr).toContain("  not paired         1 small-gap\n");
  });

  test.each([
    ["wire", "writes whole pairs only"],
    ["training", "writes whole pairs only"],
    ["trl-sft", "writes no pairs"],
  ])("--pairs is refused for %s, which %s", async (target, why) => {
    const [, ...rest] = argv;
    const given = ["export", ...rest.slice(0, 3), "--target", target, "--pairs", "answer"];
    const { exitCode, stderr } = await folder.run(given);
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining(`--pairs answer: the target ${target} ${why}`),
    ]);
  });

  test.each([
    ["--max-pairs-per-rollout", "0", "positive integer"],
    ["--min-gap", "-1", "non-negative number"],
    ["--pairing", "some", "best-worst, adjacent, all"],
  ])("%s %s is refused", async (option, value, message) => {
    const { exitCode, stderr } = await folder.run([...argv, `${option}=${value}`]);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test("answers are compared only where the branches part there", async () => {
    const call = { event: "tool_call", data: { toolName: "f", args: {}, output: 1 } };
    const [best, , worst] = rollout;
    if (best === undefined || worst === undefined) throw new RangeError("no branches");
    const parted = [best, { ...worst, rank: 2, tool_call_sequence: [call] }];
    folder.write("in.jsonl", toLines(parted));
    const answer = await folder.run([...argv, "--pairs", "answer"]);
    expect(answer.stderr).toContain("  not paired         1 off-context\n");
    await folder.run(argv);
    expect(paired()).toEqual(["0-2"]);
  });

  describe("of a rollout that lost a branch as invalid", () => {
    const zeroBased = rollout.map((branch) => ({ ...branch, rank: branch.rank - 1 }));
    const skip = [...argv, "--skip-invalid"];

    test("with ranks from 0, the second best is never chosen", async () => {
      // In any order, across blocks, and with the rest of another rollout between them.
      const other = createBranch({ rollout_id: "r-2" });
      const [best, middle, worst] = zeroBased;
      for (const lines of [zeroBased, [middle, worst, best], [middle, other, worst, best]]) {
        folder.write("in.jsonl", toLines(lines.filter((line) => line !== undefined)));
        const { stderr } = await folder.run(skip);
        expect(readFileSync(join(folder.path, "dpo.jsonl"), "utf8")).toBe("");
        expect(stderr).toContain("1 incomplete-rollout");
      }
    });

    test("also if the line can only be read in part", async () => {
      const [best, ...rest] = zeroBased.map((branch) => JSON.stringify(branch));
      folder.write("in.jsonl", [best?.slice(0, -1), ...rest].join("\n"));
      expect((await folder.run(skip)).stderr).toContain("1 incomplete-rollout");
    });

    test("the best and the worst branch are paired if they are certain", async () => {
      const [best, middle, worst] = rollout;
      folder.write("in.jsonl", toLines([best ?? {}, { ...middle, temperature: -1 }, worst ?? {}]));
      await folder.run(skip);
      expect(paired()).toEqual(["0-2"]);
    });

    test("--rank-again ranks what is left", async () => {
      folder.write("in.jsonl", toLines(zeroBased));
      await folder.run([...skip, "--rank-again"]);
      expect(paired()).toEqual(["1-2"]);
    });
  });
});

test.each([
  [["--output-dpo", "a/b/dpo.jsonl", "--output-ppo", "a/ppo.jsonl", "--report", "c/r.json"]],
  [["--output-dir", "a/b/data", "--report", "c/r.json"]],
])("%j creates missing folders, as every output does", async (outputs) => {
  folder.write("in.jsonl", toLines(branches));
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", ...outputs];
  expect((await folder.run(argv)).exitCode).toBe(EXIT.ok);
  expect(files()).toEqual(["a", "c", "in.jsonl"]);
  expect(readdirSync(join(folder.path, "c"))).toEqual(["r.json"]);
});

describe("--missing-tools", () => {
  const call: ToolEvent = {
    event: "tool_call",
    data: { toolName: "f", args: {}, callId: "c", output: 1 },
  };
  const [best, worst] = [1, 0].map((total_score, index) =>
    createBranch({ branch_index: index, rank: index + 1, total_score, tool_call_sequence: [call] }),
  );
  const declared = {
    tools: [{ type: "function" as const, function: { name: "f", parameters: {} } }],
  };
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--missing-tools"];

  beforeEach(() => {
    folder.write("in.jsonl", toLines([best ?? {}, { ...worst, context: declared }]));
  });

  test("warn counts the branches, allow says nothing", async () => {
    const counted = "1 branch that calls tools declares none (context.tools)";
    expect((await folder.run([...argv, "warn"])).stderr).toContain(counted);
    expect((await folder.run([...argv, "allow"])).stderr).not.toContain("missing tools");
  });

  test("error refuses them", async () => {
    const { exitCode, stdout } = await folder.run([...argv, "error"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/^in\.jsonl:1:1 .*calls tools and declares none.*\(missing-tools\)\n$/);
    expect(files()).toEqual(["in.jsonl"]);
  });
});

describe("--explain", () => {
  const argv = ["export", "--input", "in.jsonl", "--explain"];

  async function explain(...given: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await folder.run([...argv, ...given]);
    expect([exitCode, stderr, files()]).toEqual([EXIT.ok, "", ["in.jsonl"]]);
    return stdout;
  }

  test("a pair: the branches, where they part, and the record of the target", async () => {
    folder.write("in.jsonl", toLines(branches));
    const text = await explain("r-1");
    expect(text.split("\n").slice(0, 13)).toEqual([
      'rollout "r-1": 2 valid branches, target trl',
      "",
      "  branch  rank  score  turns  objective  final answer",
      '       0     1   1.15      1  pass       "four"',
      '       1     2      0      1  pass       "5"',
      "",
      "Pair: branch 0 over branch 1, scores 1.15 and 0; they part in assistant turn 1",
      "",
      '  They part: text "four" against text "5"',
      "  1 message is the same, then:",
      `  ${"branch 0".padEnd(51)}branch 1`,
      `  ${"assistant four".padEnd(51)}assistant 5`,
      "",
    ]);
    const printed: unknown = JSON.parse(text.slice(text.indexOf("{")));
    await folder.run([...argv.slice(0, 3), "--allow-missing-g3", "--output-dpo", "dpo.jsonl"]);
    expect(printed).toEqual(readLines("dpo.jsonl")[0]);
  });

  test("no pair: the reason in words", async () => {
    folder.write("in.jsonl", toLines(branches));
    expect(await explain("r-2")).toContain("No pair (single-branch): it has only one branch\n");
    expect(await explain("r-1", "--min-gap", "2")).toContain(
      "No pair (small-gap): the total scores differ by less than --min-gap\n",
    );
  });

  test("demonstrations, and secrets", async () => {
    const [best] = branches;
    folder.write("in.jsonl", toLines([{ ...best, final_answer: "Mail amy@example.com" }]));
    const text = await explain("r-1", "--target", "trl-sft", "--redact");
    expect(text).toContain("Demonstration: the best branch\n");
    expect(text).not.toContain("amy@example.com");
    expect(text).toContain("[redacted:email:");
  });

  test("no secret of the id or of a fault, if they are to be redacted", async () => {
    const id = "run of amy@example.com";
    const line = JSON.stringify({ ...branches[0], rollout_id: id });
    const twice = line.replace(/}$/, ',"bob@example.com":1,"bob@example.com":2}');
    folder.write("in.jsonl", `${line}\n${twice}\n`);
    const { stdout } = await folder.run([...argv, id, "--redact"]);
    expect(stdout).toContain("(duplicate-key)");
    expect(stdout).not.toContain("@example.com");
    expect((await folder.run([...argv, id])).stdout).toContain("bob@example.com");
  });

  test("invalid lines, which count as lost branches", async () => {
    const lines = [JSON.stringify({ ...branches[0], rank: 0 }), JSON.stringify(branches[1])];
    folder.write("in.jsonl", [...lines, lines[0]?.slice(0, -1)].join("\n"));
    const text = await explain("r-1");
    expect(text).toContain("Invalid:\n  in.jsonl:1  /rank  ");
    expect(text).toMatch(/\n {2}in\.jsonl:3 .*\(json\)\n/);
    expect(text).toContain("No pair (incomplete-rollout)");
  });

  test("no record of a rollout that the export leaves out as a whole", async () => {
    const [best, worst] = branches.filter(({ rollout_id: id }) => id === "r-1");
    const call = { event: "tool_call", data: { toolName: "f", args: {}, callId: "c", output: 1 } };
    const cases: [string, object[], string[]][] = [
      ["branch-index-unique", [{ ...best }, { ...worst, branch_index: 0 }], []],
      ["rank-follows-score", [{ ...best, total_score: -1 }, { ...worst }], []],
      [
        "missing-tools",
        [{ ...best, tool_call_sequence: [call] }, { ...worst }],
        ["--missing-tools", "error"],
      ],
    ];
    for (const [id, lines, given] of cases) {
      folder.write("in.jsonl", toLines(lines));
      const text = await explain("r-1", ...given);
      expect(text).toContain(`(${id})`);
      expect(text).toContain("No record: the rollout is invalid, and skipped as a whole\n");
      expect(text).not.toMatch(/Pair:|as trl gets it/i);
    }
  });

  test("a branch that cannot be exported is invalid", async () => {
    const [best, worst] = branches.filter(({ rollout_id: id }) => id === "r-1");
    const deep = "[".repeat(500) + "]".repeat(500);
    const line = JSON.stringify({ ...worst, extra: 0 }).replace('"extra":0', `"extra":${deep}`);
    folder.write("in.jsonl", `${toLines([best ?? {}])}${line}\n`);
    const text = await explain("r-1");
    expect(text).toMatch(/in\.jsonl:2 .*\(nesting-depth\)/);
    expect(text).toContain("No pair (incomplete-rollout)");
  });

  test("the sides show what the target reads, of the pair that the reason is about", async () => {
    const thought = (reasoning_content: string) => ({
      turns: [{ role: "assistant", content: "hi", reasoning_content }],
    });
    const three = [1, 0.9, 0].map((total_score, index) => ({
      ...createBranch({ branch_index: index, rank: index + 1, total_score, final_answer: "hi" }),
      ...thought(index === 0 ? "one" : "two"),
    }));
    folder.write("in.jsonl", toLines(three));
    expect(await explain("r-1")).toContain("assistant (one) hi");
    const text = await explain("r-1", "--target", "openai", "--pairing", "adjacent");
    expect(text).toContain("No pair (same-call)");
    expect(text).toMatch(/2 messages are the same, then:\n {2}branch 1 +branch 2\n/);
  });

  test("a rollout without a valid branch has faults only", async () => {
    folder.write(
      "in.jsonl",
      toLines(branches.map((branch) => ({ ...branch, temperature: "hot" }))),
    );
    const text = await explain("r-1");
    expect(text).toContain("0 valid branches");
    expect(text).toContain("/temperature");
  });

  test("with an evaluation set, it says what the rollout shares with it", async () => {
    folder.write("in.jsonl", toLines(branches));
    const text = await explain("r-1", "--eval-items", "in.jsonl");
    expect(text).toContain("Contaminated: task (in.jsonl:1 /task) shares ");
    expect(await explain("r-1")).not.toContain("evaluation set");
  });

  test("a rollout that no input has, and an option that writes", async () => {
    folder.write("in.jsonl", toLines(branches));
    expect(await folder.run([...argv, "r-9"])).toMatchObject({
      exitCode: EXIT.usage,
      stderr: expect.stringContaining('--explain "r-9": no branch with this rollout_id in 1 file'),
    });
    expect(await folder.run([...argv, "r-1", "--output-dpo", "x"])).toMatchObject({
      exitCode: EXIT.usage,
      stderr: expect.stringContaining("--output-dpo cannot be combined with --explain"),
    });
  });
});
