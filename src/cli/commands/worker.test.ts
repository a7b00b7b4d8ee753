import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder, type TestFolder, TextSink } from "../../base/testing/run-in-folder.js";
import { keyOf, keyOfLine } from "../../rollouts/pipeline/partition/key.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { encodeFrame, type Frame, readFrames } from "../worker/frames.js";
import { type Answer, toAnswers, toJob } from "../worker/testing/engine.js";
import { run } from "./index.js";

/** Collects frames. */
class FrameSink extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  async frames(): Promise<Frame[]> {
    const all: Frame[] = [];
    for await (const frame of readFrames(toAsync(this.chunks))) all.push(frame);
    return all;
  }
}

async function* toAsync(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

interface Session {
  readonly exitCode: number;
  readonly stderr: string;
  readonly frames: readonly Frame[];
  readonly answers: readonly Answer[];
}

async function work(...stdin: readonly Uint8Array[]): Promise<Session> {
  const [stdout, stderr] = [new FrameSink(), new TextSink()];
  const context = {
    stdin: toAsync(stdin),
    stdout,
    stderr,
    cwd: folder.path,
    env: {},
    program: "rollout-wire",
  };
  const exitCode = await run(["worker"], context);
  const frames = await stdout.frames();
  return { exitCode, stderr: stderr.text, frames, answers: toAnswers(frames) };
}

const branches = [0, 1].map((index) =>
  createBranch({
    branch_index: index,
    rank: index + 1,
    total_score: 1 - index / 2,
    final_answer: `answer ${index}`,
  }),
);
const rollouts = toJsonl(branches);
const EXPORT = ["export", "--input", "-", "--target", "trl", "--exported-at-ms", "0"];

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.remove());

test("a job gives the files, the output and the exit code of its command", async () => {
  const argv = [...EXPORT, "--allow-missing-g3", "--report", "report.json"];
  const alone = await folder.run(argv, { stdin: [rollouts] });
  const { exitCode, stderr, answers } = await work(toJob({ argv }, rollouts, 100));
  expect([exitCode, stderr]).toEqual([0, ""]);
  const names = ["dpo.jsonl", "ppo.jsonl", "report.json"];
  const { readFileSync } = await import("node:fs");
  const files = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder.path, name), "utf8")]),
  );
  expect(answers).toEqual([{ ...alone, stderrDropped: 0, files }]);
  expect(files["dpo.jsonl"]).toContain("answer 0");
});

test("jobs run one after the other, and each has a folder of its own", async () => {
  const first = toJob({ argv: [...EXPORT, "--allow-missing-g3"] }, rollouts);
  const second = toJob({ argv: ["validate", "-"] }, "NaN\n");
  const { answers } = await work(Buffer.concat([first, second]), first);
  expect(answers.map(({ exitCode, files }) => [exitCode, Object.keys(files)])).toEqual([
    [0, ["dpo.jsonl", "ppo.jsonl"]],
    [1, []],
    [0, ["dpo.jsonl", "ppo.jsonl"]],
  ]);
  expect(answers[1]?.stdout).toBe("<stdin>:1:1  (line)  not JSON: unexpected NaN  (json)\n");
  expect(answers[2]).toEqual(answers[0]);
});

test("files in subfolders are named with slashes", async () => {
  const argv = [...EXPORT, "--allow-missing-g3", "--output-dir", "out"];
  const { answers } = await work(toJob({ argv }, rollouts));
  expect(Object.keys(answers[0]?.files ?? {})).toEqual([
    "out/README.md",
    "out/dpo/train-00000-of-00001.jsonl",
    "out/manifest.json",
    "out/ppo/train-00000-of-00001.jsonl",
  ]);
});

test("a linked file is read under its name, and is no output", async () => {
  const path = join(folder.path, "kept elsewhere.jsonl");
  const task = `one two three four five six seven eight nine ten eleven twelve thirteen`;
  writeFileSync(path, JSON.stringify({ question: task }));
  const argv = [...EXPORT, "--eval-items", "eval.jsonl"];
  const input = toJsonl(branches.map((branch) => ({ ...branch, task })));
  const { answers } = await work(toJob({ argv, links: { "eval.jsonl": path } }, input));
  expect(answers[0]?.stdout).toContain("eval.jsonl:1");
  expect(answers[0]?.files).toEqual({});
});

test("a command that stops early leaves the next job intact", async () => {
  const wrong = toJob({ argv: ["export", "--inptu", "-"] }, "x".repeat(10_000), 1000);
  const { exitCode, answers } = await work(wrong, toJob({ argv: ["--version"] }));
  expect(exitCode).toBe(0);
  expect(answers.map((answer) => answer.exitCode)).toEqual([2, 0]);
  expect(answers[0]?.stderr).toContain("unknown option '--inptu'");
});

test("of a long standard error, the end is kept", async () => {
  const argv = ["validate", "x".repeat(100_000)];
  const { answers } = await work(toJob({ argv }));
  expect(answers[0]?.stderr).toHaveLength(2 ** 16);
  expect(answers[0]?.stderrDropped).toBeGreaterThan(30_000);
});

test.each([
  ["no frames", [Buffer.from("hello")], "<stdin>: byte 0: 0x68 is no type of a frame"],
  [
    "input in no job",
    [encodeFrame("input", Buffer.from("x"))],
    "<stdin>: a frame of type input is in no job",
  ],
  [
    "a job that is no JSON",
    [encodeFrame("job", Buffer.from("{"))],
    "<stdin>: a job cannot be run: its payload is not JSON",
  ],
  [
    "a job that is no object",
    [toJob([])],
    "<stdin>: a job cannot be run: its payload is no object",
  ],
  [
    "arguments that are no texts",
    [toJob({ argv: [1] })],
    "<stdin>: a job cannot be run: argv is no list of texts",
  ],
  ["a call that is no text", [toJob({ call: 1 })], "<stdin>: a job cannot be run: call is no text"],
  [
    "an unknown call",
    [toJob({ call: "x" })],
    '<stdin>: a job cannot be run: no call is called "x"',
  ],
  [
    "a worker",
    [toJob({ argv: ["worker"] })],
    "<stdin>: a job cannot be run: a worker runs no worker",
  ],
  [
    "a link out of the folder",
    [toJob({ argv: [], links: { "../x": "/x" } })],
    "<stdin>: a job cannot be run: links does not map names to absolute paths",
  ],
  [
    "a link to a relative path",
    [toJob({ argv: [], links: { x: "x" } })],
    "<stdin>: a job cannot be run: links does not map names to absolute paths",
  ],
  [
    "a job within a job",
    [toJob({ argv: ["validate", "-"] }).subarray(0, -5), toJob({ argv: [] })],
    "<stdin>: a job cannot be run: a frame of type job is within it",
  ],
  [
    "the end within a job",
    [toJob({ argv: ["validate", "-"] }).subarray(0, -5)],
    "<stdin>: a job cannot be run: standard input ends within it",
  ],
  [
    "garbage within a job",
    [toJob({ argv: ["validate", "-"] }).subarray(0, -5), Buffer.from("garbage")],
    "<stdin>: byte 30: 0x67 is no type of a frame",
  ],
])("%s: exit code 2 and one line", async (_, stdin, message) => {
  const { exitCode, stderr, answers } = await work(...stdin);
  expect([exitCode, stderr, answers]).toEqual([2, `${message}\n`, []]);
});

test("no folder remains, whatever ends a job", async () => {
  const tmp = mkdtempSync(join(tmpdir(), "rollout-wire-worker-test-"));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = tmp;
  try {
    const argv = [...EXPORT, "--allow-missing-g3"];
    await work(toJob({ argv }, rollouts));
    await work(toJob({ argv }, rollouts).subarray(0, -5));
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(epipe()) });
    gone.on("error", () => {});
    const stdin = toAsync([toJob({ argv }, rollouts)]);
    const stderr = new TextSink();
    expect(
      await run(["worker"], {
        stdin,
        stdout: gone,
        stderr,
        cwd: tmp,
        env: {},
        program: "rollout-wire",
      }),
    ).toBe(0);
    expect(stderr.text).toBe("");
    expect(readdirSync(tmp)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(tmp, { recursive: true });
  }
});

function epipe(): Error {
  return Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
}

/** A key as the worker writes it. */
function formatKey(id: string | Uint8Array): string {
  const { high, low } = typeof id === "string" ? keyOf(id) : keyOfLine(id);
  return [high, low].map((half) => half.toString(16).padStart(12, "0")).join("");
}

test("keys: a line for each line, also for those that are damaged", async () => {
  const lines = [
    '{"rollout_id":"r-1"}',
    "",
    '{"rollout_id":"r-1","x":NaN,"rollout_id":"r-2"}',
    '{"rollout_id":"r-\\u0033","rollout_id":"r-4"}',
    "[]",
    '{"rollout_id":"r-5"',
  ];
  const { answers } = await work(toJob({ call: "keys" }, `${lines.join("\n")}\n`, 7));
  expect(answers[0]?.stdout.split("\n")).toEqual([
    `1 ${formatKey("r-1")}`,
    `3 ${formatKey("r-1")} ${formatKey("r-2")}`,
    `4 ${formatKey("r-4")}`,
    `5 - ${formatKey(Buffer.from("[]"))}`,
    `6 ${formatKey("r-5")}`,
    "",
  ]);
});

/** Writes an index of texts, with the tasks of rollouts if there are any. Returns its path. */
async function writeIndex(name: string, texts: readonly string[], tasks?: string): Promise<string> {
  folder.write(`${name}.jsonl`, toJsonl(texts.map((text) => ({ text }))));
  const argv = ["shard", "index", "--eval-items", `${name}.jsonl`, "--output", name];
  if (tasks !== undefined) folder.write(`${name}-tasks.jsonl`, tasks);
  const input = tasks === undefined ? [] : ["--input", `${name}-tasks.jsonl`, "--skip-invalid"];
  expect(await folder.run([...argv, ...input])).toMatchObject({ exitCode: 0 });
  return join(folder.path, name);
}

const items = ["one two three four five six seven eight nine", "short item"];
const taskLines = (id: string, task: string, rest: object = {}): string =>
  toJsonl(branches.map((branch) => ({ ...branch, rollout_id: id, task, ...rest })));
const tasksOf = (path: string) => ({
  call: "tasks",
  argv: [...EXPORT, "--eval-index", "eval.index"],
  links: { "eval.index": path },
});

test("tasks: a line for each valid rollout, also if rollouts are read again", async () => {
  const path = await writeIndex("tasks.index", items);
  const [one, other] = [`${items[0]} ten`, "Short item! Seven, eight."];
  const text =
    taskLines("r-1", one) + taskLines("r-2", other) + taskLines("r-3", one.toUpperCase());
  const { answers } = await work(toJob(tasksOf(path), text, 100));
  const lines = (answers[0]?.stdout ?? "").split("\n").map((line) => line.split(" "));
  expect(lines.map(([, ...ngrams]) => ngrams)).toEqual([["0", "1"], ["9"], ["0", "1"], []]);
  const [first, second, third] = lines.map(([hash]) => Number(hash));
  expect(first).toBe(third);
  expect(first).not.toBe(second);
  // The second branch of the first rollout comes last.
  const [head = "", tail = "", ...rest] = text.split("\n");
  const scattered = [head, ...rest.slice(0, -1), tail, ""].join("\n");
  const again = await work(toJob(tasksOf(path), scattered));
  expect(again.answers).toEqual(answers);
});

test("tasks: rollouts with errors are left out on request; otherwise there are none", async () => {
  const path = await writeIndex("errors.index", items);
  const job = tasksOf(path);
  const invalid = taskLines("r-1", items[0] ?? "", { rank: "first" });
  const mixed = invalid + taskLines("r-2", "short item");
  const lenient = { ...job, argv: [...job.argv, "--skip-invalid"] };
  const { answers } = await work(toJob(job, mixed), toJob(lenient, mixed), toJob(lenient, invalid));
  expect(answers.map(({ exitCode, stdout }) => [exitCode, stdout.replace(/^\d+/, "h")])).toEqual([
    [1, ""],
    [0, "h 9\n"],
    [0, ""],
  ]);
});

test("tasks: what cannot be run is refused in one line", async () => {
  const job = tasksOf(join(folder.path, "no.index"));
  const { answers } = await work(
    toJob(job, rollouts),
    toJob({ ...job, argv: [...job.argv, "--frobnicate"] }, rollouts),
    toJob({ ...job, argv: [...EXPORT, "--allow-missing-g3"] }, rollouts),
    toJob({ ...job, argv: ["export", "--help"] }, rollouts),
  );
  expect(answers.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [3, expect.stringContaining("eval.index: ")],
    [2, "unknown option '--frobnicate'  Help:  rollout-wire export --help\n"],
    [2, "tasks requires --eval-index\n"],
    [2, "export --help: a partition cannot be exported with it\n"],
  ]);
});

test("add-task-counts: the index that shard index writes of all rollouts", async () => {
  const texts = [taskLines("r-1", items[0] ?? ""), taskLines("r-2", `zero ${items[0]} short item`)];
  const bare = await writeIndex("bare.index", items);
  const counted = await writeIndex("counted.index", items, texts.join(""));
  const counts = {
    tasks: 2,
    repeated: [
      [0, 2],
      [1, 2],
    ],
  };
  const job = { call: "add-task-counts", argv: ["a", "b"], links: { a: bare } };
  const { answers } = await work(toJob(job, JSON.stringify(counts)));
  const { readFileSync } = await import("node:fs");
  const strip = (text = "") => text.replaceAll(/sha256:[0-9a-f]{64}|(bare|counted)\.index/g, "");
  expect(strip(answers[0]?.files.b)).toBe(strip(readFileSync(counted, "utf8")));
});

test.each([
  ["no JSON", "{", "not JSON"],
  ["no object", "[]", "tasks is no number of tasks"],
  ["half a task", '{"tasks":1.5,"repeated":[]}', "tasks is no number of tasks"],
  ["no list", '{"tasks":1}', "repeated is no list"],
  ["one task", '{"tasks":3,"repeated":[[0,1]]}', "[0,1] is no n-gram in several tasks"],
  ["more tasks than all", '{"tasks":3,"repeated":[[0,4]]}', "[0,4] is no n-gram in several tasks"],
  ["no position", '{"tasks":3,"repeated":[[11,2]]}', "[11,2] is no n-gram in several tasks"],
  ["no pair", '{"tasks":3,"repeated":[0]}', "0 is no n-gram in several tasks"],
])("add-task-counts refuses %s", async (_, stdin, problem) => {
  const links = { a: await writeIndex("refused.index", items) };
  const { answers } = await work(
    toJob({ call: "add-task-counts", argv: ["a", "b"], links }, stdin),
  );
  expect(answers).toMatchObject([
    { exitCode: 2, stderr: `<stdin>: no counts of tasks: ${problem}\n`, files: {} },
  ]);
});

test("export-partition: the export, except that a partition without valid records is no error", async () => {
  const argv = [...EXPORT, "--allow-missing-g3", "--skip-invalid", "--report", "report.json"];
  const invalid = taskLines("r-1", "x", { rank: "first" });
  const call = "export-partition";
  const { answers } = await work(
    toJob({ argv }, rollouts),
    toJob({ argv, call }, rollouts),
    toJob({ argv }, invalid),
    toJob({ argv, call }, invalid),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1, 0]);
  expect(JSON.parse(answers[3]?.files["report.json"] ?? "").lines).toMatchObject({ invalid: 2 });
});

test("features: those of every kind of a target", async () => {
  const job = (target: string) => toJob({ call: "features", argv: [target] });
  const { answers } = await work(job("trl"), job("tlr"));
  expect(JSON.parse(answers[0]?.stdout ?? "")).toEqual(targets.trl.features);
  expect(answers[1]?.stderr).toBe('no export target is called "tlr"\n');
});

test("merge-reports: the manifest and the card of all partitions", async () => {
  const argv = [...EXPORT, "--allow-missing-g3", "--report", "report.json"];
  const ids = ["r-1", "r-2"];
  const jobs = ids.map((id) =>
    toJob({ argv }, toJsonl(branches.map((branch) => ({ ...branch, rollout_id: id })))),
  );
  const parts = (await work(...jobs)).answers.map(({ files }) =>
    JSON.parse(files["report.json"] ?? ""),
  );
  const outputs = parts.flatMap(({ outputs: [dpo] }, index) => [
    { ...dpo, file: `dpo/part-0000${index}.jsonl` },
  ]);
  const request = [{ outputs }, ...parts].map((each) => JSON.stringify(each)).join("\n");
  const { answers } = await work(toJob({ call: "merge-reports" }, request));
  const { "manifest.json": text = "", "README.md": card } = answers[0]?.files ?? {};
  const manifest = JSON.parse(text);
  expect(manifest.rollouts.exported).toBe(2);
  expect(manifest.outputs).toEqual(outputs);
  expect(card).toContain("`dpo` (`dpo/part-*.jsonl`): 2 records");
});

test.each([
  ["nothing", "", "its first line names no outputs"],
  ["no report", '{"outputs":[]}', "it holds no report"],
  ["another object", '{"outputs":[]}\n{}', "a line is no report of an export"],
  ["no JSON", '{"outputs":[]}\n{', "a line is not JSON"],
])("merge-reports refuses %s", async (_, stdin, problem) => {
  const { answers } = await work(toJob({ call: "merge-reports" }, stdin));
  expect(answers).toMatchObject([
    { exitCode: 2, stderr: `<stdin>: cannot be merged: ${problem}\n`, files: {} },
  ]);
});
