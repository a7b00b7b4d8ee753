import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sampleCases } from "../../base/testing/run-count.js";
import { EXIT } from "../../base/user-error.js";
import { templateText } from "../../rollouts/wire/decontamination/testing/template-texts.js";
import { EVAL_ITEMS, ShardedFolder } from "../merge/testing/sharded-folder.js";

let folder: ShardedFolder;
beforeAll(async () => {
  folder = new ShardedFolder();
  await folder.prepare(3);
  for (const number of [1, 2, 3]) await folder.exportShard(`${number}/3`, `out/${number}`);
});
afterAll(() => folder.remove());
afterEach(() => {
  for (const name of ["new", "other", "one", "odd", "pipe", "edited"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
});

const merge = async (...folders: string[]) =>
  await folder.run(["shard", "join", ...folders, "--output", "new"]);

/** Exports shard 2 to `other` with other options, and merges it with the other shards. */
async function mergeOther(...options: string[]): Promise<[number, string]> {
  await folder.exportShard("2/3", "other", ...options);
  const { exitCode, stderr } = await merge("out/1", "other", "out/3");
  return [exitCode, stderr];
}

test("all shards merged are one export of them, byte for byte", async () => {
  await folder.exportAtOnce();
  expect(await merge("out/2", "out/3", "out/1")).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr: "  join               new  3 shards, dpo 11 records, ppo 62 records\n",
  });
  const files = folder.filesOf("new");
  expect(Object.keys(files).sort()).toEqual([
    "README.md",
    "dpo/train-00000-of-00001.jsonl",
    "manifest.json",
    "ppo/train-00000-of-00001.jsonl",
  ]);
  expect(files).toEqual(folder.filesOf("one"));
  const report = folder.readReport("new/manifest.json");
  expect(report.shard).toBeUndefined();
  expect(report.lines).toEqual({ read: 66, valid: 63, invalid: 3 });
  expect(report.rollouts).toMatchObject({ exported: 23, contaminated: 1 });
  const reasons = ["incomplete-rollout", "single-branch", "no-preference", "same-call"];
  expect(Object.keys(report.not_paired)).toEqual(reasons);
  expect(report.decontamination).toMatchObject({ distinct_tasks: 24, boilerplate_ngrams: 13 });
});

test("with secrets replaced, they are counted together", async () => {
  const other = new ShardedFolder();
  try {
    await other.prepare(2);
    other.write("key", "a key of sixteen bytes or more");
    await other.exportAndMerge(2, "--redact", "--redact-key", "key");
    await other.exportAtOnce("--redact", "--redact-key", "key");
    expect(other.filesOf("merged")).toEqual(other.filesOf("one"));
    const { redacted = {} } = other.readReport("merged/manifest.json");
    expect(Object.keys(redacted)).toHaveLength(2);
  } finally {
    other.remove();
  }
});

test("a shard that is exported again has the same bytes", async () => {
  const before = folder.filesOf("out/2");
  await folder.exportShard("2/3", "out/2");
  expect(folder.filesOf("out/2")).toEqual(before);
  expect(Object.keys(before)).toContain("manifest.json");
});

test("shards with another key of redaction, or other known secrets, are refused", async () => {
  const other = new ShardedFolder();
  try {
    await other.prepare(2);
    for (const name of ["key", "another"]) other.write(name, `${name} of sixteen bytes or more`);
    other.write("values", "a known secret");
    const redact = ["--redact", "--redact-key"];
    await other.exportShard("1/2", "first", ...redact, "key");
    for (const options of [["another"], ["key", "--redact-values", "values"]]) {
      await other.exportShard("2/2", "second", ...redact, ...options);
      const { exitCode, stderr } = await other.run([
        "shard",
        "join",
        "first",
        "second",
        "-o",
        "merged",
      ]);
      expect([exitCode, stderr]).toEqual([
        EXIT.findings,
        expect.stringContaining("second and first differ in settings.redaction"),
      ]);
    }
    await other.exportShard("2/2", "second", ...redact, "key");
    await other.succeed("shard", "join", "first", "second", "-o", "merged");
  } finally {
    other.remove();
  }
});

test.each([
  [["out/1", "out/3"], "shard 2/3 is missing: export it with --shard 2/3"],
  [["out/3"], "shards 1/3 and 1 more are missing: export them, beginning with --shard 1/3"],
  [["out/1", "out/2", "out/2", "out/3"], "out/2 and out/2 are both shard 2/3"],
])("%j is refused", async (folders, message) => {
  const { exitCode, stdout, stderr } = await merge(...folders);
  expect([exitCode, stdout, stderr]).toEqual([EXIT.findings, "", `${message}\n`]);
  expect(existsSync(join(folder.path, "new"))).toBe(false);
});

const OTHER_SETTINGS: [name: string, options: string[]][] = [
  ["settings.min_gap", ["--min-gap", "0.5"]],
  ["settings.seed", ["--seed", "1"]],
  ["settings.format", ["--store", "parquet"]],
  ["settings.compression", ["--compress", "gzip"]],
  ["settings.redaction", ["--redact", "--redact-key", "in.jsonl"]],
  ["target", ["--target", "wire"]],
  ["decontamination.min_overlap", ["--min-overlap", "0.5"]],
  ["decontamination.boilerplate_share", ["--boilerplate-share", "0.5"]],
];

test.each(sampleCases(OTHER_SETTINGS, 4))(
  "a shard with other %s is refused",
  async (name, options) => {
    expect(await mergeOther(...options)).toEqual([
      EXIT.findings,
      expect.stringMatching(
        `^other and out/1 differ in ${name} \\(.+\\): export one of them again\n$`,
      ),
    ]);
  },
);

test("a shard that was compared with another evaluation set of as many items is refused", async () => {
  await folder.index([EVAL_ITEMS[0] ?? "", templateText("another"), "…"]);
  const outcome = await mergeOther();
  await folder.index(EVAL_ITEMS);
  expect(outcome).toEqual([
    EXIT.findings,
    expect.stringContaining("other and out/1 differ in decontamination.evaluation_set"),
  ]);
});

test("a shard of another partition is refused", async () => {
  await folder.prepare(3, { without: 6 });
  const outcome = await mergeOther();
  await folder.prepare(3);
  expect(outcome).toEqual([
    EXIT.findings,
    expect.stringContaining("other and out/1 differ in shard.partition"),
  ]);
});

test("a shard that was checked by other rules is refused", async () => {
  const rules = ["--rule", "rank-permutation=off"];
  expect(await mergeOther(...rules)).toEqual([
    EXIT.findings,
    'other and out/1 differ in settings.rules ({"rank-permutation":"off"}, {}): export one of them again\n',
  ]);
});

test.each([[[]], [["--shard-size", "4kB"]]])(
  "the output is no folder of a shard, with %j",
  async (storage) => {
    const other = new ShardedFolder();
    try {
      await other.prepare(2);
      for (const number of [1, 2]) {
        await other.exportShard(`${number}/2`, `out/${number}`, ...storage);
      }
      const before = other.filesOf("out");
      const { exitCode, stderr } = await other.run([
        "shard",
        "join",
        "out/1",
        "out/2",
        "--output",
        "out/1",
      ]);
      expect([exitCode, stderr]).toEqual([
        EXIT.usage,
        expect.stringContaining(": is also an input\n"),
      ]);
      expect(other.filesOf("out")).toEqual(before);
    } finally {
      other.remove();
    }
  },
);

test.each([
  ["the folder of the folders", ["out"], "out: is no folder of a shard: it has no manifest.json\n"],
  ["a manifest of another kind", ["odd"], "odd/manifest.json: is no manifest of an export\n"],
])("%s is refused", async (_, folders, message) => {
  mkdirSync(join(folder.path, "odd"), { recursive: true });
  folder.write("odd/manifest.json", "{}");
  const { exitCode, stderr } = await merge(...folders);
  expect([exitCode, stderr]).toEqual([EXIT.unreadable, message]);
});

test("a pipe in place of a manifest is refused, not read", async () => {
  mkdirSync(join(folder.path, "pipe"), { recursive: true });
  execFileSync("mkfifo", [join(folder.path, "pipe/manifest.json")]);
  const { exitCode, stderr } = await merge("pipe");
  expect([exitCode, stderr]).toEqual([
    EXIT.unreadable,
    "pipe/manifest.json: is no manifest of an export\n",
  ]);
});

test.each([
  ["written", false, EXIT.unreadable, "edited/manifest.json: says that nothing was written\n"],
  ["shard", { number: 1, count: 9e15 }, EXIT.findings, /and 8999999999999998 more are missing/],
  [
    "shard",
    { number: 7, count: 1 },
    EXIT.findings,
    "shard 1/1 is missing: export it with --shard 1/1\n",
  ],
])("a manifest with an edited %s is refused", async (name, value, code, message) => {
  const report = folder.readReport("out/1/manifest.json");
  const edited = name === "shard" && report.shard ? { ...report.shard, ...Object(value) } : value;
  mkdirSync(join(folder.path, "edited"), { recursive: true });
  folder.write("edited/manifest.json", JSON.stringify({ ...report, [name]: edited }));
  const { exitCode, stderr } = await merge("edited");
  expect([exitCode, stderr]).toEqual([code, expect.stringMatching(message)]);
});

test("a folder that does not exist is refused", async () => {
  const { exitCode, stderr } = await merge("out/1", "none");
  expect([exitCode, stderr]).toEqual([EXIT.unreadable, "none/manifest.json: no such file\n"]);
});

test("a whole export is refused", async () => {
  await folder.exportAtOnce();
  const { exitCode, stderr } = await merge("out/1", "one");
  expect([exitCode, stderr]).toEqual([
    EXIT.unreadable,
    "one/manifest.json: is of a whole export, not of a shard (export --shard)\n",
  ]);
});

test.each(["{}", "{", "null"])("a folder with the manifest %s is refused", async (text) => {
  folder.write("shards/manifest.json", text);
  const { exitCode, stderr } = await merge("out/1", "shards");
  expect([exitCode, stderr]).toEqual([
    EXIT.unreadable,
    "shards/manifest.json: is no manifest of an export\n",
  ]);
});

test("a file that has changed since its export is refused, and nothing is written", async () => {
  const name = "out/2/ppo/train-00000-of-00001.jsonl";
  const text = folder.read(name);
  folder.write(name, text.replace("answer", "ANSWER"));
  const { exitCode, stderr } = await merge("out/1", "out/2", "out/3");
  folder.write(name, text);
  expect([exitCode, stderr]).toEqual([
    EXIT.unreadable,
    `${name}: has changed since its export: export the shard again\n`,
  ]);
  expect(existsSync(join(folder.path, "new/manifest.json"))).toBe(false);
});

test("the folder of a shard is no output", async () => {
  const { exitCode, stderr } = await folder.run(
    ["shard", "join", "out/1", "out/2", "out/3"].concat("--output", "out/1"),
  );
  expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining("out/1")]);
});

test("shards without valid rollouts are exported, but not joined", async () => {
  const other = new ShardedFolder();
  try {
    await other.prepare(2);
    await other.index([templateText("item")]);
    for (const number of [1, 2]) {
      const options = ["--boilerplate-share", "1"];
      await other.exportShard(`${number}/2`, `out/${number}`, ...options);
    }
    const { exitCode, stderr } = await other.run([
      "shard",
      "join",
      "out/1",
      "out/2",
      "--output",
      "new",
    ]);
    expect([exitCode, stderr]).toEqual([
      EXIT.findings,
      "no shard has valid records: all were skipped, so nothing is written\n",
    ]);
  } finally {
    other.remove();
  }
});
