import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import {
  formats,
  isTrainerId,
  type TrainerId,
} from "../../rollouts/wire/preflight/formats/index.js";
import { INFERRED_BYTES } from "../../rollouts/wire/preflight/row-shapes.js";
import {
  answer,
  callMessage,
  noTools,
  pair,
  TOOLS,
  user,
  validRows,
} from "../../rollouts/wire/preflight/testing/rows.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const GOLDEN = join(packageRoot(), "fixtures/golden");
const ids = Object.keys(formats).filter(isTrainerId);

interface JsonReport {
  readonly checked: number;
  readonly findings: readonly {
    readonly id: string;
    readonly severity: string;
    readonly line: number;
    readonly pointer: string;
    readonly message: string;
  }[];
}

async function validate(
  ...argv: readonly string[]
): Promise<JsonReport & { exitCode: number; stderr: string }> {
  const { exitCode, stdout, stderr } = await folder.run(["validate", "--format", "json", ...argv]);
  const report: JsonReport = JSON.parse(stdout);
  return { ...report, exitCode, stderr };
}

/** What our own export warns of, too: the recorded runs are so. */
const WARNED = new Set([
  "missing-tools",
  "null-value",
  "same-call",
  "unanswered-call",
  "stray-result",
  "turn-order",
]);

/** The golden outputs for a trainer. */
function goldenFiles(id: TrainerId): string[] {
  return readdirSync(GOLDEN, { recursive: true, encoding: "utf8" })
    .filter((name) => new RegExp(`expected\\.${id}\\.(?:dpo|ppo|sft)\\.jsonl$`).test(name))
    .map((name) => join(GOLDEN, name))
    .filter((file) => readFileSync(file, "utf8") !== "");
}

describe.each(ids.filter((id) => id !== "verl" && id !== "axolotl"))("export --target %s", (id) => {
  test("writes files that are clean, with --target and without", async () => {
    const files = goldenFiles(id);
    const named = await validate("--target", id, ...files);
    const recognised = await validate(...files);
    for (const { exitCode, findings, checked } of [named, recognised]) {
      expect(findings.filter((each) => !WARNED.has(each.id))).toEqual([]);
      expect([exitCode, checked]).toEqual([EXIT.ok, named.checked]);
    }
    expect(named.checked).toBeGreaterThan(7);
    expect(named.stderr).toContain(`${named.checked} rows read as those of ${id}\n`);
    expect(recognised.stderr).toContain(id);
  });
});

test.each(ids)("rows for %s are recognised as such, among others", async (id) => {
  // Rows of plain texts could be records of this format that lost their fields.
  const rows = validRows[id].filter((row) =>
    Object.values(row).some((value) => typeof value === "object"),
  );
  const file = folder.write(`${id}.jsonl`, toJsonl(rows));
  const { exitCode, findings, stderr } = await validate(file);
  expect([exitCode, findings]).toEqual([EXIT.ok, []]);
  expect(stderr).toContain(id);
});

test("plain texts are not recognised, and read if the trainer is named", async () => {
  const file = folder.write("plain.jsonl", toJsonl([{ prompt: "a", chosen: "b", rejected: "c" }]));
  expect((await validate(file)).exitCode).toBe(EXIT.findings);
  expect((await validate("--target", "trl", file)).exitCode).toBe(EXIT.ok);
});

test("rows and records may be in one run, and records are checked as ever", async () => {
  const branch = createBranch();
  const rows = folder.write("rows.jsonl", toJsonl([pair, branch, { ...branch, rank: "first" }]));
  const { findings, stderr } = await validate(rows);
  expect(findings.map(({ line, pointer }) => `${line} ${pointer}`)).toEqual(["3 /rank"]);
  expect(stderr).toContain("1 row read as those of trl\n");
  const named = await validate("--target", "trl", rows);
  expect(named.findings.map(({ line, id }) => `${line} ${id}`)).toEqual([
    "2 missing-column",
    "3 missing-column",
  ]);
});

test("of a row that several trainers read, what all of them find is found", async () => {
  const bad = { messages: [user, answer, "hello"] };
  const file = folder.write(
    "messages.jsonl",
    toJsonl([{ messages: [user, callMessage(), user, answer], tools: TOOLS }, bad]),
  );
  const { findings, stderr } = await validate(file);
  expect(findings.map(({ line, id }) => `${line} ${id}`)).toEqual([
    "1 unanswered-call",
    "2 message-content",
  ]);
  expect(stderr).toContain(
    "trl-sft, openai, llama-factory, nemo-rl, tinker, verl, axolotl: checked",
  );
});

describe("rows of one file", () => {
  test("must all be messages, or all text", async () => {
    const file = folder.write(
      "mixed.jsonl",
      toJsonl([noTools, { prompt: "a", chosen: "b", rejected: "c" }]),
    );
    const { findings } = await validate("--target", "trl", file);
    expect(findings.map(({ line, id, pointer }) => `${line} ${id} ${pointer}`)).toEqual([
      "2 mixed-rows /prompt",
      "2 mixed-rows /chosen",
      "2 mixed-rows /rejected",
    ]);
  });

  test("must show their columns in the first 10 MiB, from which datasets infers them", async () => {
    const long = { ...noTools, note: "x".repeat(INFERRED_BYTES / 4) };
    const late = { ...noTools, tools: TOOLS, chosen: [callMessage()] };
    const file = folder.write("late.jsonl", toJsonl([long, long, long, long, late]));
    const { findings } = await validate("--target", "trl", file, "--workers", "2");
    expect(findings.map(({ line, id }) => `${line} ${id}`)).toEqual([
      "5 late-column",
      "5 late-column",
    ]);
    expect(findings.map(({ message }) => message.split(" ")[0])).toEqual([
      '"chosen/tool_calls"',
      '"tools"',
    ]);
    const early = folder.write("early.jsonl", toJsonl([late, long, long, long, long, late]));
    expect((await validate("--target", "trl", early)).findings).toEqual([]);
  });
});

test("the nulls of Parquet are seen, as a trainer sees them", async () => {
  const message = (role: string, content: string) => ({ role, content, name: null });
  const rows = {
    prompt: [message("user", "hi")],
    chosen: [message("assistant", "a")],
    rejected: [message("assistant", "b")],
  };
  const field = {
    type: "BYTE_ARRAY",
    converted_type: "UTF8",
    repetition_type: "OPTIONAL",
  } as const;
  const columns = Object.keys(rows).flatMap((name): SchemaElement[] => [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "OPTIONAL", num_children: 3 },
    ...["role", "content", "name"].map((each) => ({ ...field, name: each })),
  ]);
  const columnData = Object.entries(rows).map(([name, value]) => ({ name, data: [value] }));
  const schema = [{ name: "root", num_children: 3 }, ...columns];
  const file = folder.write(
    "pairs.parquet",
    new Uint8Array(parquetWriteBuffer({ schema, columnData })),
  );
  const { findings } = await validate("--target", "trl", file);
  expect(findings.map(({ id, pointer }) => `${id} ${pointer}`)).toEqual(["null-value /prompt/0"]);
});

test.each([[[]], [["--target", "trl"]]])(
  "a row that is nested too deeply is a finding: %j",
  async (argv) => {
    const depth = 100_000;
    const args = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const call = `{"id":"1","type":"function","function":{"name":"f","arguments":${args}}}`;
    folder.write(
      "deep.jsonl",
      `{"prompt":[{"role":"user","content":"q"}],"chosen":[{"role":"assistant","content":"","tool_calls":[${call}]}],"rejected":[{"role":"assistant","content":"x"}]}`,
    );
    const { exitCode, stdout } = await folder.run(["validate", "deep.jsonl", ...argv]);
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("(nesting-depth)\n"),
    ]);
  },
);

test("rules about lines hold for rows, too, and --rule sets their severity", async () => {
  const line = JSON.stringify(noTools).replace("{", '{"id":1,"id":2,');
  const file = folder.write("twice.jsonl", `${line}\nno json\n`);
  const { findings } = await validate("--target", "trl", file);
  expect(findings.map(({ id }) => id)).toEqual(["duplicate-key", "json"]);
  const off = await validate("--target", "trl", "--rule", "duplicate-key=off", file);
  expect(off.findings.map(({ id }) => id)).toEqual(["json"]);
});

test("--target needs a file: the fixtures of a configuration are records", async () => {
  const { exitCode, stderr } = await folder.run(["validate", "--target", "trl"]);
  expect([exitCode, stderr.includes("--target needs a file")]).toEqual([EXIT.usage, true]);
});

test.each([
  [["--target", "trl", "--type", "DpoRecord"]],
  [["--target", "trl", "--schema", "a.json"]],
  [["--target", "wire"]],
  [["--chat-template", "a.jinja"]],
  [["--target", "trl", "--max-tokens", "10"]],
  [["--target", "trl", "--tokenizer", "a.json"]],
])("%j is refused", async (argv) => {
  const file = folder.write("one.jsonl", toJsonl([noTools]));
  expect((await folder.run(["validate", ...argv, file])).exitCode).toBe(EXIT.usage);
});
