import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const good = JSON.stringify(createBranch());
const bad = good.replace('"objective_score":1', '"objective_score":7');
const foreign = good.replace("[]", '[{"tool_name":"search","args":{}}]');
const other = foreign.replace('"rollout_id":"', '"rollout_id":"other-');
/** Columns of the faults in these lines. */
const score = bad.indexOf(":7") + 2;
const event = foreign.indexOf('{"tool_name"') + 1;

describe("valid input prints nothing on standard output", () => {
  test("plain, compressed and from standard input", async () => {
    const plain = folder.write("plain.jsonl", `${good}\n`);
    const compressed = folder.write("compressed", gzipSync(good));
    const clean = {
      exitCode: EXIT.ok,
      stdout: "",
      stderr: `0 errors, 0 warnings in 1 record (${good.length} bytes, 0.00 s)\n`,
    };
    expect(await folder.run(["validate", plain])).toEqual(clean);
    expect(await folder.run(["validate", compressed])).toEqual(clean);
    expect(await folder.run(["validate", "-"], { stdin: [good] })).toEqual(clean);
  });
});

test("scores are compared with the given weights", async () => {
  const file = folder.write("scored.jsonl", `${good}\n`);
  const { exitCode, stdout } = await folder.run([
    ...["validate", file, "--max-warnings", "0"],
    ...["--weights", "objective=1,judge=0"],
  ]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain("must be 0 to 1 with --weights objective=1,judge=0");
  const wrong = await folder.run(["validate", file, "--weights", "objective=2"]);
  expect([wrong.exitCode, wrong.stdout]).toEqual([EXIT.usage, ""]);
});

describe("findings", () => {
  const lines = ["\ufeff", bad, "\r\n\r\n", foreign, '\r\n{"a": NaN}\r\n[1]\n{"a": 1}'].join("");

  test("as text, in input order", async () => {
    const file = folder.write("mixed.jsonl", lines);
    expect(await folder.run(["validate", file])).toEqual({
      exitCode: EXIT.findings,
      stdout: [
        `mixed.jsonl:1:${score}  /objective_score       must be 0 or 1, is 7                                    (enum)`,
        `mixed.jsonl:3:${event}  /tool_call_sequence/0  warning: 1 of 1 tool events in another dialect: 1 flat  (tool-event-dialect)`,
        'mixed.jsonl:4:7    (line)                 not JSON: unexpected NaN in "a"                         (json)',
        "mixed.jsonl:5:1    (line)                 must be an object, is an array                          (type)",
        "mixed.jsonl:6:1    (line)                 no type fits: it has no field that a type requires; name a type with --type  (anyOf)",
        "",
      ].join("\n"),
      stderr: `4 errors, 1 warning (tool-event-dialect) in 5 records (${bad.length + foreign.length + 21} bytes, 0.00 s)\nrollout rules skipped for 1 rollout: fix the invalid lines first\n`,
    });
  });

  test("as JSON", async () => {
    const file = folder.write("bad.jsonl", `${good}\n${bad}\n${bad}\n`);
    const { exitCode, stdout } = await folder.run([
      "validate",
      "--format",
      "json",
      "--max-errors",
      "1",
      file,
    ]);
    expect(exitCode).toBe(EXIT.findings);
    expect(JSON.parse(stdout)).toEqual({
      report_version: "finding-report/v1",
      tool: "rollout-wire",
      version: expect.stringMatching(/^\d/),
      command: "validate",
      checked: 3,
      findings: [
        {
          id: "enum",
          severity: "error",
          file: "bad.jsonl",
          line: 2,
          column: score,
          pointer: "/objective_score",
          message: "must be 0 or 1, is 7",
        },
      ],
      summary: { errors: 2, warnings: 0, not_listed: { errors: 1, warnings: 0 } },
    });
  });

  test("--max-errors limits the listed findings (100 by default); the rest is counted", async () => {
    const file = folder.write("many.jsonl", `${bad}\n`.repeat(150));
    const all = await folder.run(["validate", file]);
    expect(all.stdout).toBe(
      `many.jsonl:1:${score}  /objective_score  must be 0 or 1, is 7  (enum)\n  ... and 149 more in this file\n`,
    );
    const github = await folder.run(["validate", "--format", "github", file]);
    expect(github.stdout.match(/^::error /gm)?.length).toBe(100);
    const limited = await folder.run(["validate", "--max-warnings", "0", file]);
    expect(limited.stdout).toMatch(/and 99 more in this file\n\.\.\. and 50 more errors\n$/);
    expect(await folder.run(["validate", "--max-errors", "0", file])).toEqual({
      exitCode: EXIT.findings,
      stdout: "... and 150 more errors\n",
      stderr: expect.stringMatching(
        /^150 errors, 0 warnings in 150 records \([\d.]+ kB, 0\.00 s\)\n$/,
      ),
    });
  });

  test("one cause in many lines is printed once, with its fix", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => {
      const { rank, total_score, ...branch } = createBranch({ rollout_id: `r-${index}` });
      return JSON.stringify({ ...branch, tool_call_sequence: [{ tool_name: "a", args: {} }] });
    });
    folder.write("some file.jsonl", lines.join("\n"));
    const dialect = lines[0]?.indexOf('{"tool_name"') ?? 0;
    expect(
      (await folder.run(["validate", "--type", "RolloutBranch", "some file.jsonl"])).stdout,
    ).toBe(
      `some file.jsonl:1:${dialect + 1}  /tool_call_sequence/0  warning: 1 of 1 tool events in another dialect: 1 flat  (tool-event-dialect)\n` +
        "  ... and 199 more in this file\n" +
        "  fix: name the tool in data.toolName, or --rule tool-event-dialect=off: export reads every dialect\n",
    );
    const argv = ["validate", "--type", "RolloutBranchRecord", "some file.jsonl"];
    expect((await folder.run(argv)).stdout).toBe(
      [
        'some file.jsonl:1:1  (line)  lacks "rank"         (required)',
        "  ... and 199 more in this file",
        "  fix: rollout-wire rank --input 'some file.jsonl' --output ranked.jsonl",
        'some file.jsonl:1:1  (line)  lacks "total_score"  (required)',
        "  ... and 199 more in this file",
        "",
      ].join("\n"),
    );
    const json = await folder.run([...argv, "--format", "json"]);
    expect(JSON.parse(json.stdout).findings.length).toBe(100);
    expect(JSON.parse(json.stdout).summary).toMatchObject({
      errors: 400,
      not_listed: { errors: 300 },
    });
  });

  test("warnings alone are not a failure, unless there are more than --max-warnings", async () => {
    const file = folder.write("foreign.jsonl", `${foreign}\n${other}\n`);
    expect((await folder.run(["validate", file])).exitCode).toBe(EXIT.ok);
    expect((await folder.run(["validate", "--max-warnings", "2", file])).exitCode).toBe(EXIT.ok);
    expect(await folder.run(["validate", "--max-warnings", "1", file])).toEqual({
      exitCode: EXIT.findings,
      stdout: [
        `foreign.jsonl:1:${event}  /tool_call_sequence/0  warning: 1 of 1 tool events in another dialect: 1 flat  (tool-event-dialect)`,
        `foreign.jsonl:2:${event + "other-".length}  /tool_call_sequence/0  1 of 1 tool events in another dialect: 1 flat           (tool-event-dialect)`,
        "",
      ].join("\n"),
      stderr: `1 error, 1 warning (tool-event-dialect) in 2 records (${foreign.length + other.length} bytes, 0.00 s)\n`,
    });
  });

  test("a type that is given is not inferred", async () => {
    const file = folder.write("branch.jsonl", good);
    const { exitCode, stdout } = await folder.run(["validate", "--type", "PpoRecord", file]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain('lacks "completion"');
  });

  test("colours only on a terminal, and not if NO_COLOR is set", async () => {
    const file = folder.write("bad.jsonl", bad);
    const plain = `bad.jsonl:1:${score}  /objective_score  must be 0 or 1, is 7  (enum)\n`;
    const coloured = plain
      .replace(/^\S+/, "\u001b[36m$&\u001b[39m")
      .replace("(enum)", "\u001b[31m$&\u001b[39m");
    const run = async (env: Record<string, string>) =>
      (await folder.run(["validate", file], { isTTY: true, env })).stdout;
    expect(await run({})).toBe(coloured);
    expect(await run({ NO_COLOR: "" })).toBe(coloured);
    expect(await run({ NO_COLOR: "1" })).toBe(plain);
  });
});

describe("a run that checked nothing must fail", () => {
  test.each([
    ["nothing", ""],
    ["blank lines", "\n \n\t\r\n"],
    ["a byte-order mark", "\ufeff"],
  ])("%s", async (_name, content) => {
    const files = [folder.write("empty.jsonl", content), "-"];
    expect(await folder.run(["validate", ...files])).toEqual({
      exitCode: EXIT.findings,
      stdout: [
        "empty.jsonl:1:1  (line)  contains no records: nothing was checked  (no-records)",
        "<stdin>:1:1      (line)  contains no records: nothing was checked  (no-records)",
        "",
      ].join("\n"),
      stderr: "2 errors, 0 warnings in 0 records (0 bytes, 0.00 s)\n",
    });
  });

  test("an empty file beside a full one is not an error", async () => {
    const files = [folder.write("empty.jsonl", ""), folder.write("full.jsonl", good)];
    expect((await folder.run(["validate", ...files])).exitCode).toBe(EXIT.ok);
  });
});

describe("unreadable inputs", () => {
  test.each([
    ["a missing file", "none.jsonl", "none.jsonl: no such file\n"],
    ["a pattern without a match", "none*", "none*: matches no file\n"],
  ])("%s is told before anything is read", async (_name, file, stderr) => {
    const first = folder.write("bad.jsonl", bad);
    expect(await folder.run(["validate", first, file])).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr,
    });
  });

  test("a binary file", async () => {
    const file = folder.write("a.out", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
    expect(await folder.run(["validate", file])).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "a.out: binary data or UTF-16 text: convert it to UTF-8\n",
    });
  });

  test("a file given again through a link", async () => {
    const file = folder.write("good.jsonl", good);
    symlinkSync(join(folder.path, file), join(folder.path, "again.jsonl"));
    expect(await folder.run(["validate", file, "again.jsonl"])).toEqual({
      exitCode: EXIT.usage,
      stdout: "",
      stderr: "again.jsonl: given twice; name each input once\n",
    });
  });

  test("a file given twice", async () => {
    const file = folder.write("good.jsonl", good);
    expect(await folder.run(["validate", file, `./${file}`])).toEqual({
      exitCode: EXIT.usage,
      stdout: "",
      stderr: "./good.jsonl: given twice; name each input once\n",
    });
  });
});

describe("rules", () => {
  const branch = (rollout_id: string, branch_index: number, fields: object = {}) =>
    JSON.stringify(createBranch({ rollout_id, branch_index, rank: branch_index + 1, ...fields }));
  const doubled = branch("r", 0).replace('"rank":1', '"rank":2,"rank":1');
  const column = doubled.lastIndexOf('"rank"') + 1;

  test("severities of a profile, and of single rules", async () => {
    const file = folder.write("doubled.jsonl", doubled);
    const findings = async (...options: string[]) => {
      const { exitCode, stdout } = await folder.run(["validate", ...options, file]);
      return [exitCode, stdout];
    };
    const text = 'a second value under the key "rank"  (duplicate-key)\n';
    const place = `doubled.jsonl:1:${column}  /rank  `;
    expect(await findings()).toEqual([EXIT.findings, `${place}${text}`]);
    const warned = [EXIT.ok, `${place}warning: ${text}`];
    expect(await findings("--profile", "lenient")).toEqual(warned);
    expect(await findings("--rule", "duplicate-key=warn")).toEqual(warned);
    expect(await findings("--rule", "duplicate-key=error", "--rule", "duplicate-key=off")).toEqual([
      EXIT.ok,
      "",
    ]);
  });

  test.each([
    ["duplicat-keys=off", 'No rule is called "duplicat-keys" (did you mean duplicate-key?)'],
    ["frobnicate=off", 'No rule is called "frobnicate": use '],
    ["duplicate-key", "For duplicate-key write <id>=off|warn|error."],
    ["duplicate-key=fatal", "For duplicate-key write <id>=off|warn|error."],
  ])("--rule %s", async (setting, message) => {
    for (const command of [
      ["validate", "a.jsonl"],
      ["rank", "--input", "a.jsonl", "--output", "b.jsonl"],
      ["export", "--input", "a.jsonl", "--allow-missing-g3"],
    ]) {
      const { exitCode, stderr } = await folder.run([...command, "--rule", setting]);
      expect(exitCode).toBe(EXIT.usage);
      expect(stderr).toContain(message);
    }
  });

  test("a rollout is checked as a whole, even if its branches are scattered", async () => {
    folder.write("1.jsonl", `${branch("a", 0)}\n${branch("b", 0)}\n${branch("a", 2)}\n`);
    folder.write("2.jsonl", `${branch("b", 1)}\n${branch("a", 1)}\n`);
    expect((await folder.run(["validate", "1.jsonl", "2.jsonl"])).stdout).toBe("");
    const again = branch("a", 1);
    folder.write("3.jsonl", `\n${again}\n`);
    const { stdout } = await folder.run(["validate", "1.jsonl", "2.jsonl", "3.jsonl"]);
    expect(stdout.split("\n")).toEqual([
      `3.jsonl:2:${again.indexOf('"branch_index":') + 16}   /branch_index  a second branch with branch_index 1 in this rollout  (branch-index-unique)`,
      `3.jsonl:2:${again.indexOf('"rank":') + 8}  /rank          a second branch of rank 2 in this rollout            (rank-permutation)`,
      "",
    ]);
  });

  test("in an input that cannot be read again, the column is unknown", async () => {
    const lines = `${branch("a", 0)}\n${branch("b", 0)}\n${branch("a", 0, { rank: 2 })}\n`;
    const message =
      "/branch_index  a second branch with branch_index 0 in this rollout  (branch-index-unique)\n";
    const compressed = folder.write("compressed.jsonl.gz", gzipSync(lines));
    expect((await folder.run(["validate", compressed])).stdout).toBe(
      `compressed.jsonl.gz:3:1  ${message}`,
    );
    expect((await folder.run(["validate", "-"], { stdin: [lines] })).stdout).toBe(
      `<stdin>:3:1  ${message}`,
    );
  });

  test("rank rules ignore unranked branches", async () => {
    const file = folder.write("same.jsonl", `${branch("a", 0)}\n${branch("a", 1, { rank: 1 })}\n`);
    const ranked = await folder.run(["validate", file]);
    expect([ranked.exitCode, ranked.stdout.includes("rank-permutation")]).toEqual([1, true]);
    expect((await folder.run(["validate", "--type", "RolloutBranch", file])).stdout).toBe("");
  });
});
