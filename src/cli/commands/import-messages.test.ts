import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRolloutBranch } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { EXPLAINED_ROWS } from "../../rollouts/pipeline/import/explain.js";
import { presets } from "../../rollouts/pipeline/import/forms/rows/presets/index.js";
import { findDisagreement } from "../../rollouts/pipeline/import/testing/find-disagreement.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/messages/", import.meta.url));

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const readLines = (name: string): Record<string, unknown>[] =>
  readFileSync(join(folder.path, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** A row in which one question is answered. */
const rowOf = (fields: object = {}): string => {
  const messages = [
    { role: "user", content: "What is 2+2?" },
    { role: "assistant", content: "4" },
  ];
  return `${JSON.stringify({ id: 1, reward: 1, messages, ...fields })}\n`;
};
const MAP = ["--map", "messages=/messages,reward=/reward,group=/id"];

const importRows = (...argv: string[]) =>
  folder.run(["import", "messages", "--output", "out.jsonl", ...argv]);

describe.each(presets)("preset $id", ({ id }) => {
  const input = join(FIXTURES, `${id}.jsonl`);

  test("import, rank and export give pairs and completions, with no further option", async () => {
    const runs = [
      ["import", "messages", "--preset", id, "--input", input, "--output", "captured.jsonl"],
      ["rank", "--input", "captured.jsonl", "--output", "ranked.jsonl"],
      ["export", "--target", "trl", "--input", "ranked.jsonl", "--allow-missing-g3"],
    ];
    for (const run of runs) {
      const { exitCode, stdout } = await folder.run(run);
      expect([exitCode, stdout], run.join(" ")).toEqual([EXIT.ok, ""]);
    }
    const rows = readFileSync(input, "utf8").trimEnd().split("\n").length;
    const branches = readLines("captured.jsonl").filter(isRolloutBranch);
    expect(branches).toHaveLength(rows);
    for (const branch of branches) {
      expect(findDisagreement(branch)).toBeUndefined();
      expect(branch.context?.messages?.[0]?.role).toBe("system");
      // SWE-smith publishes no tool definitions.
      expect(branch.context?.tools === undefined).toBe(id === "swe-smith");
    }
    expect(branches.some(({ tool_call_sequence: events }) => events.length > 1)).toBe(true);
    expect(readLines("dpo.jsonl")).toHaveLength(2);
    expect(readLines("ppo.jsonl")).toHaveLength(rows);
  });

  test("--explain-map says where everything goes, in both formats, and writes nothing", async () => {
    const argv = ["import", "messages", "--preset", id, "--input", input, "--explain-map"];
    const { exitCode, stdout, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
    await expect(stdout).toMatchFileSnapshot(join(FIXTURES, `expected.${id}.map.txt`));
    const json = await folder.run([...argv, "--format", "json"]);
    const { places, rows, branches } = JSON.parse(json.stdout);
    expect(branches).toBe(rows);
    expect(places).toContainEqual(expect.objectContaining({ to: "task" }));
    // Every field of every row is named.
    const fields = readFileSync(input, "utf8")
      .trimEnd()
      .split("\n")
      .flatMap((line) => Object.keys(JSON.parse(line)));
    for (const field of new Set(fields)) {
      expect(places).toContainEqual(
        expect.objectContaining({ from: expect.stringMatching(`^/${field}(/|$)`) }),
      );
    }
  });
});

test("docs/import.md shows what --explain-map prints", () => {
  const page = readFileSync(new URL("../../../docs/import.md", import.meta.url), "utf8");
  const printed = readFileSync(join(FIXTURES, "expected.openhands.map.txt"), "utf8");
  expect(page).toContain(`\n\`\`\`\n${printed}\`\`\`\n`);
});

test("docs/import.md lists every preset", () => {
  const page = readFileSync(new URL("../../../docs/import.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \| .* \| .* \|$/gm)].map(([, id]) => id);
  expect(listed).toEqual(expect.arrayContaining(presets.map(({ id }) => id)));
});

describe("bad rows", () => {
  const rows = [
    rowOf(),
    rowOf({ reward: "good" }),
    rowOf({ messages: [{ role: "user", content: [{ type: "image_url" }] }] }),
    rowOf({ id: undefined }),
    rowOf({ messages: JSON.stringify([{ role: "critic", content: "?" }]) }),
    rowOf({ reward: 0 }),
  ];

  test("are errors with line, column, pointer and what to do, and nothing is written", async () => {
    folder.write("in.jsonl", rows.join(""));
    const { exitCode, stdout } = await importRows("--input", "in.jsonl", ...MAP);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      'in.jsonl:2:18  /reward  the reward must be a number, true or false, is "good"; --pass-value names the word that passes  (metric-type)',
      'in.jsonl:3:58  /messages/0/content/0  is a part of type "image_url": a branch holds text only  (message-part)',
      "in.jsonl:4:1  /id  must be a string or a number for the group; the row has none: map another place, or group=task  (group-by)",
      expect.stringMatching(
        /^in\.jsonl:5:31 {2}\/messages {2}in its JSON text at \/0\/role: "critic" is none of .* {2}\(message-role\)$/,
      ),
      "",
    ]);
    expect(existsSync(join(folder.path, "out.jsonl"))).toBe(false);
  });

  test("are left out with --skip-invalid, and kept as rejects", async () => {
    folder.write("in.jsonl.gz", gzipSync(rows.join("")));
    const argv = ["--skip-invalid", "--rejects", "rejects.jsonl", "--input", "in.jsonl.gz"];
    const { exitCode, stderr } = await importRows(...argv, ...MAP);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("  skipped            4 invalid rows\n");
    expect(readLines("out.jsonl").map(({ branch_index: index }) => index)).toEqual([0, 1]);
    expect(readLines("rejects.jsonl").map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  test("two tasks in a group are an error at the second task", async () => {
    const messages = [
      { role: "user", content: "What is 3+3?" },
      { role: "assistant", content: "6" },
    ];
    folder.write("in.jsonl", rowOf() + rowOf({ messages }));
    const { stdout } = await importRows("--input", "in.jsonl", ...MAP);
    expect(stdout).toMatch(
      /^in\.jsonl:2:57 {2}\/messages\/0\/content .*\(one-task-per-rollout\)\n$/,
    );
  });

  test("--explain-map names the reasons, and is red if no row gives a branch", async () => {
    folder.write("in.jsonl", `${rows.slice(1, 5).join("")}{\n`);
    const { exitCode, stdout } = await importRows("--input", "in.jsonl", ...MAP, "--explain-map");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/^4 rows: 0 branches$/m);
    expect(stdout).toMatch(
      /^ {2}1 row without a branch: \/reward {2}the reward must .*\(metric-type\)$/m,
    );
    expect(stdout).toMatch(/^ {2}1 line without a JSON object$/m);
    expect(existsSync(join(folder.path, "out.jsonl"))).toBe(false);
  });
});

test("--explain-map reads the first rows only", async () => {
  folder.write("in.jsonl", rowOf().repeat(EXPLAINED_ROWS + 1));
  const argv = ["import", "messages", "--input", "in.jsonl", ...MAP, "--explain-map"];
  expect((await folder.run(argv)).stdout).toContain("\nthe first 1,000 rows: 1,000 branches\n");
});

test("--explain-map prints no other format than text and JSON", async () => {
  folder.write("in.jsonl", rowOf());
  const argv = ["--input", "in.jsonl", ...MAP, "--explain-map", "--format", "github"];
  const { exitCode, stderr } = await importRows(...argv);
  expect([exitCode, stderr]).toEqual([
    EXIT.usage,
    "--explain-map prints text or json, not github\n",
  ]);
});

test("without --explain-map, an output is required", async () => {
  const { exitCode, stderr } = await folder.run(["import", "messages", "--input", "a", ...MAP]);
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr).toBe(
    "required option '-o, --output <file>' not specified  Help:  rollout-wire import --help\n",
  );
});

test("a folder gives all its JSONL files", async () => {
  folder.write("a.jsonl", rowOf());
  folder.write("b.jsonl.gz", gzipSync(rowOf({ reward: 0 })));
  const { stderr } = await folder.run(
    ["import", "messages", "--input", ".", "--output", "../out.jsonl", ...MAP].map((each) =>
      each === "../out.jsonl" ? join(folder.path, "out.txt") : each,
    ),
  );
  expect(stderr).toContain("2 branches, 1 rollout\n");
});
