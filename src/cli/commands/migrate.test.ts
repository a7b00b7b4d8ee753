import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createTestFolder,
  type TestFolder,
  type Transcript,
} from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import {
  createThreeVersions,
  type ThreeVersions,
} from "../../contract/migrate/testing/three-versions.js";

const home = vi.hoisted(() => ({ root: "" }));
vi.mock(import("../../base/package.js"), async (importOriginal) => ({
  ...(await importOriginal()),
  packageRoot: () => home.root,
}));

let versions: ThreeVersions;
let folder: TestFolder;
beforeEach(() => {
  versions = createThreeVersions();
  home.root = versions.root;
  folder = createTestFolder();
});
afterEach(() => {
  versions.remove();
  folder.remove();
});

const V1 = '{"order_version": "order/v1", "id": "7", "client": "Ada"}';
const V2 = '{"total":"0 EUR","order_version":"order/v2","id":"7","customer":"Ada"}';
const BAD = '{"order_version":"order/v1","id":"8","client":"nobody"}';

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

function migrate(...argv: readonly string[]): Promise<Transcript> {
  return folder.run(["migrate", "--to", "order/v2", ...argv]);
}

test("only upgraded records change: not blank lines, line breaks, a byte-order mark, or others", async () => {
  const spaced = V2.replaceAll(",", " , ");
  folder.write("old.jsonl", `\ufeff${V1}\r\n\n${spaced}\r\n  \n${V1}`);
  expect(await migrate("old.jsonl", "--output", "new.jsonl")).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr:
      "  read               3 records, 0 errors, 0 warnings\n" +
      "  migrate            new.jsonl  2 records of v1 upgraded, 1 record of order/v2 unchanged\n",
  });
  expect(read("new.jsonl")).toBe(`\ufeff${V2}\r\n\n${spaced}\r\n  \n${V2}`);
});

test("docs/migrate.md shows a migration", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/migrate.md"), "utf8");
  const shown =
    /^\$ cat (orders\.jsonl)\n([\s\S]*?)\$ rollout-wire (.*)\n([\s\S]*?)\$ cat (.*)\n([\s\S]*?)```$/m.exec(
      page,
    ) ?? [];
  const [, source = "", input = "", command = "", printed, result = "", output] = shown;
  folder.write(source, input);
  const { stdout, stderr } = await folder.run(command.split(" "));
  expect(stdout + stderr).toBe(printed);
  expect(read(result)).toBe(output);
});

test("a chain of steps", async () => {
  folder.write("old.jsonl", `${V1}\n`);
  const argv = ["migrate", "--to", "order/v3", "old.jsonl", "--output", "new.jsonl"];
  expect((await folder.run(argv)).exitCode).toBe(EXIT.ok);
  expect(JSON.parse(read("new.jsonl"))).toMatchObject({ amount: 0, currency: "EUR" });
});

test("compressed files, standard input and a file without a last newline become one file", async () => {
  folder.write("a.jsonl.gz", gzipSync(V1));
  folder.write("b.jsonl", `\ufeff${V2}`);
  const argv = ["--to", "order/v2", "a.jsonl.gz", "b.jsonl", "-", "--output", "new.jsonl"];
  const { exitCode } = await folder.run(["migrate", ...argv], { stdin: [V1, "\n"] });
  expect([exitCode, read("new.jsonl")]).toEqual([EXIT.ok, `${V2}\n${V2}\n${V2}\n`]);
});

test("many blocks: what stands in each place stays there", async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) =>
    index % 7 === 0 ? V1.replace("7", String(index)) : `{"note":"${"x".repeat(index % 90)}"}`,
  );
  folder.write("old.jsonl", `${lines.join("\n")}\n`);
  expect((await migrate("old.jsonl", "--in-place")).exitCode).toBe(EXIT.ok);
  const expected = lines.map((line, index) =>
    index % 7 === 0 ? V2.replace("7", String(index)) : line,
  );
  expect(read("old.jsonl")).toBe(`${expected.join("\n")}\n`);
});

describe("a record that cannot be upgraded", () => {
  const message =
    "bad.jsonl:2:1  (line)  order-v1-v2: an order needs a customer  (upcast)\n" +
    "bad.jsonl:3:1  (line)  ";

  beforeEach(() => {
    folder.write("bad.jsonl", `${V1}\n${BAD}\nno json\n`);
  });

  test("is a finding with its line, and nothing is written", async () => {
    const { exitCode, stdout, stderr } = await migrate("bad.jsonl", "--output", "new.jsonl");
    expect([exitCode, stdout]).toEqual([EXIT.findings, expect.stringContaining(message)]);
    expect(stderr).toContain("nothing written: fix the errors first");
    expect(existsSync(join(folder.path, "new.jsonl"))).toBe(false);
  });

  test("is left out with --skip-invalid, and kept with --rejects", async () => {
    const flags = ["--skip-invalid", "--rejects", "rejects.jsonl", "--in-place"];
    const { exitCode, stderr } = await migrate("bad.jsonl", ...flags);
    expect([exitCode, read("bad.jsonl")]).toEqual([EXIT.ok, `${V2}\n`]);
    expect(stderr).toContain("1 file  1 record of v1 upgraded, 2 records skipped\n");
    const rejects = read("rejects.jsonl").trimEnd().split("\n");
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { file: "bad.jsonl", line: 2, text: BAD, findings: [{ id: "upcast" }] },
      { file: "bad.jsonl", line: 3, text: "no json", findings: [{ id: "json" }] },
    ]);
  });

  test("is an error if no record is left", async () => {
    folder.write("none.jsonl", `${BAD}\n`);
    const { exitCode, stdout } = await migrate("none.jsonl", "--in-place", "--skip-invalid");
    expect([exitCode, read("none.jsonl")]).toEqual([EXIT.findings, `${BAD}\n`]);
    expect(stdout).toContain("(no-records)");
  });
});

describe("a file for each input", () => {
  beforeEach(() => {
    mkdirSync(join(folder.path, "runs/b c"), { recursive: true });
    folder.write("runs/a.jsonl", `${V1}\n`);
    folder.write("runs/b c/a.jsonl.gz", gzipSync(`${V1}\n`));
    folder.write("runs/empty.jsonl", "");
  });

  test("in a folder, by its path", async () => {
    expect((await migrate("runs", "--output-dir", "new/deep")).exitCode).toBe(EXIT.ok);
    expect(read("new/deep/a.jsonl")).toBe(`${V2}\n`);
    expect(read("new/deep/b c/a.jsonl")).toBe(`${V2}\n`);
    expect(read("new/deep/empty.jsonl")).toBe("");
  });

  test("of rows in Parquet, as lines", async () => {
    const file = parquetWriteBuffer({
      columnData: [{ name: "line", data: [V1, V1], type: "STRING" }],
    });
    folder.write("runs/rows.parquet", new Uint8Array(file));
    expect((await migrate("runs/rows.parquet", "--output-dir", "new")).exitCode).toBe(EXIT.ok);
    expect(read("new/rows.jsonl")).toBe(`${V2}\n${V2}\n`);
  });

  test("in place: links are followed, and a file without older records stays untouched", async () => {
    folder.write("new.jsonl", `\n${V2}`);
    symlinkSync("runs/a.jsonl", join(folder.path, "link.jsonl"));
    const before = statSync(join(folder.path, "new.jsonl"));
    const argv = ["link.jsonl", "new.jsonl", "--in-place"];
    expect((await migrate(...argv)).stderr).toContain("  migrate            1 file  ");
    expect(read("runs/a.jsonl")).toBe(`${V2}\n`);
    const after = statSync(join(folder.path, "new.jsonl"));
    expect([after.ino, read("new.jsonl")]).toEqual([before.ino, `\n${V2}`]);
    expect((await migrate(...argv)).stderr).toContain("  migrate            0 files  ");
  });

  test("a missing upcaster ends the run, and no file changes", async () => {
    folder.write("old.jsonl", `${V1}\n${V1}\n`);
    versions.write("schema/upcasters/order-v1-v2.ts", "");
    const broken = await migrate("old.jsonl", "--in-place");
    expect(broken).toEqual({
      exitCode: EXIT.unreadable,
      stdout: "",
      stderr: "schema/upcasters/order-v1-v2.ts exports no function upcast(record)\n",
    });
    expect(read("old.jsonl")).toBe(`${V1}\n${V1}\n`);
  });
});

describe("diff between two major versions", () => {
  const diff = (from: number, to: number): Promise<Transcript> =>
    folder.run(["diff", `released:order/v${from}`, `released:order/v${to}`]);

  test("names the command that upgrades the records", async () => {
    const { stderr } = await diff(1, 3);
    expect(stderr).toMatch(/\nupcaster: migrate --to order\/v3 upgrades the records\.\n$/);
  });

  test("names the upcasters that are missing", async () => {
    rmSync(join(versions.root, "schema/upcasters/order-v2-v3.ts"));
    const { stderr } = await diff(1, 3);
    expect(stderr).toContain(
      "\nupcaster: schema/upcasters/order-v2-v3.ts missing; npm run upcaster:new",
    );
    expect((await diff(1, 1)).stderr).not.toContain("upcaster");
  });
});

test.each([
  [["a.jsonl"], "give one of --output FILE, --output-dir FOLDER and --in-place"],
  [["a.jsonl", "--in-place", "--output", "b"], "give one of --output FILE"],
  [["a.jsonl", "--output", "a.jsonl"], "output a.jsonl: is also an input"],
  [["a.jsonl", "--in-place", "--rejects", "r"], "--rejects requires --skip"],
  [
    ["a.jsonl", "--in-place", "--skip-invalid", "--rejects", "a.jsonl"],
    "a.jsonl: is given for two outputs",
  ],
  [["a.jsonl", "--in-place", "--from", "note/v1"], "--from note: --to is about order"],
  [["a.jsonl", "--in-place", "--to", "v2"], "Write a schema and its major version"],
  [["a.jsonl", "--in-place", "--to", "order/v9"], "order/v9: no such version"],
  [["a.jsonl.gz", "--in-place"], "a.jsonl.gz: is compressed, or is no regular file"],
  [["-", "--in-place"], "<stdin>: is no file"],
  [["-", "--output-dir", "new"], "--output-dir cannot name the output of standard input"],
  [["a.jsonl", "a.jsonl.gz", "--output-dir", "new"], "is given for two outputs"],
])("%j is refused in one line", async (argv, message) => {
  folder.write("a.jsonl", `${V1}\n`);
  folder.write("a.jsonl.gz", gzipSync(`${V1}\n`));
  const { exitCode, stdout, stderr } = await migrate(...argv);
  expect([exitCode, stdout, stderr]).toEqual([EXIT.usage, "", expect.stringContaining(message)]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(existsSync(join(folder.path, "new"))).toBe(false);
});
