import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCodeBlocks } from "../../../conformance/package/testing/read-command-lines.js";
import { BLOCK_BYTES } from "../../base/jsonl/file-blocks.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { taskHash } from "../../rollouts/wire/conversation/task-hash.js";
import { toDpoRecord } from "../../rollouts/wire/export/flat-records.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const pathOf = (name: string): string => join(folder.path, name);
const read = (name: string): string => readFileSync(pathOf(name), "utf8");
const readRecord = (name: string): unknown => JSON.parse(read(name));
const redact = (...argv: string[]) => folder.run(["redact", ...argv]);

const EMAIL = /\[redacted:email:[0-9a-f]{8}\]/;

describe("redact", () => {
  test("replaces secrets and keeps every other byte", async () => {
    const clean = '{ "n": 1.0, "big": 9007199254740993,\t"e": 1e400, "__proto__": {} }';
    const line =
      '{ "n": 1.0, "x": [1e400, "to bob@example.com"], "password": "hunter2!", "a": "\\u0041" }';
    folder.write("in.jsonl", `\ufeff${clean}\r\n\n${line}`);
    expect(await redact("in.jsonl", "--output", "out.jsonl")).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr:
        "  read               2 records, 2 secrets: 1 email, 1 secret; 0 errors, 0 warnings\n" +
        "  redact             out.jsonl\n",
    });
    const [first, second] = read("out.jsonl").split("\n");
    expect(first).toBe(clean);
    const restored = second
      ?.replace(EMAIL, "bob@example.com")
      .replace(/\[redacted:secret:[0-9a-f]{8}\]/, "hunter2!");
    expect(restored).toBe(line);
  });

  test("keeps the identifiers and hashes of records", async () => {
    const id = "4111111111111111";
    const record = createBranch({ rollout_id: id, final_answer: id });
    folder.write("in.jsonl", `${JSON.stringify(record)}\n`);
    await redact("in.jsonl", "--output", "out.jsonl");
    expect(readRecord("out.jsonl")).toEqual({
      ...record,
      final_answer: expect.stringMatching(/^\[redacted:card-number:/),
    });
  });

  test("rewrites the hash of a redacted task, but not one that was wrong", async () => {
    const pair = toDpoRecord([
      createBranch({ task: "mail bob@example.com", rank: 1, total_score: 1.15 }),
      createBranch({
        task: "mail bob@example.com",
        rank: 2,
        branch_index: 1,
        objective_score: 0,
        total_score: 0,
        final_answer: "5",
      }),
    ]);
    const wrong = JSON.stringify(pair).replace(
      taskHash("mail bob@example.com"),
      "0123456789abcdef",
    );
    folder.write("right.jsonl", `${JSON.stringify(pair)}\n`);
    folder.write("wrong.jsonl", `${wrong}\n`);
    await redact("right.jsonl", "--output", "out.jsonl");
    expect(readRecord("out.jsonl")).toMatchObject({ prompt: expect.stringMatching(EMAIL) });
    expect(await folder.run(["validate", "out.jsonl"])).toMatchObject({ exitCode: EXIT.ok });
    await redact("wrong.jsonl", "--output", "out.jsonl");
    expect(read("out.jsonl")).toContain('"0123456789abcdef"');
  });

  test("reads several files, compressed or not, and standard input", async () => {
    folder.write("a.jsonl", '{"a":"bob@example.com"}\n');
    folder.write("b.jsonl.gz", gzipSync('{"b":"bob@example.com"}\n'));
    await redact("a.jsonl", "b.jsonl.gz", "--output", "out.jsonl");
    const [a, b] = read("out.jsonl").trim().split("\n");
    expect(a?.match(EMAIL)?.[0]).toBe(b?.match(EMAIL)?.[0]);
    const { exitCode } = await folder.run(["redact", "-", "--output", "piped.jsonl"], {
      stdin: ['{"a":"bob@example.com"}'],
    });
    expect(exitCode).toBe(EXIT.ok);
    expect(read("piped.jsonl")).toMatch(EMAIL);
  });

  test("a JSON document of several lines becomes one line", async () => {
    folder.write("doc.json", '{\n  "a": [\n    1.0,  "b  b",\r\n    "bob@example.com"\n  ]\n}\n');
    await redact("doc.json", "--output", "out.jsonl");
    expect(read("out.jsonl").replace(EMAIL, "X")).toBe('{"a": [1.0,  "b  b","X"]}\n');
  });

  test("text that is not JSON is redacted as text, with a warning", async () => {
    folder.write("torn.jsonl", '{"a":"bob@example.com"}\n{"a":"bob@example.com","b\n[1]\n"x"\n');
    expect(await redact("torn.jsonl", "--output", "out.jsonl")).toEqual({
      exitCode: EXIT.ok,
      stdout: expect.stringMatching(
        /^torn.jsonl:2:\d+ {2}\(line\) {2}warning: not JSON: .+; redacted as text {2}\(json\)\n$/,
      ),
      stderr: expect.stringContaining("4 records, 2 secrets: 2 email; 0 errors, 1 warning (json)"),
    });
    expect(read("out.jsonl").replaceAll(new RegExp(EMAIL, "g"), "X")).toBe(
      '{"a":"X"}\n{"a":"X","b\n[1]\n"x"\n',
    );
  });

  test("a line that is not UTF-8 is an error, and nothing is written", async () => {
    folder.write("in.jsonl", Buffer.from('{"a":"bob@example.com"}\n{"a":"\xff"}\n', "latin1"));
    expect(await redact("in.jsonl", "--output", "out.jsonl")).toMatchObject({
      exitCode: EXIT.findings,
      stdout: "in.jsonl:2:7  (line)  not UTF-8: byte 0xff  (json)\n",
      stderr: expect.stringContaining("nothing written: fix the errors first"),
    });
    expect(existsSync(pathOf("out.jsonl"))).toBe(false);
  });

  test("gives the same result on any number of threads", async () => {
    const line = `${JSON.stringify({ text: `bob@example.com ${"and so on ".repeat(2000)}` })}\n`;
    folder.write("in.jsonl", line.repeat(Math.ceil((1.5 * BLOCK_BYTES) / line.length)));
    folder.write("key", "0123456789abcdef");
    for (const workers of ["1", "2"]) {
      const argv = ["in.jsonl", "--output", `${workers}.jsonl`, "--redact-key", "key"];
      await redact(...argv, "--workers", workers);
    }
    expect(read("1.jsonl") === read("2.jsonl")).toBe(true);
    expect(read("1.jsonl")).not.toContain("bob@");
  });
});

describe("--check", () => {
  test("reports the place and the kind of each secret, not the secret", async () => {
    folder.write(
      "in.jsonl",
      '{"a":1}\n{"a":{"b/c":["x","bob@example.com and amy@example.com"]},"password":"hunter2!"}\n',
    );
    folder.write("doc.json", '{\n  "a": "bob@example.com"\n}\n');
    expect(await redact("--check", "in.jsonl", "doc.json")).toEqual({
      exitCode: EXIT.findings,
      stdout:
        "in.jsonl:2:18  /a/b~1c/1  a secret: email   (secret)\n" +
        "in.jsonl:2:18  /a/b~1c/1  a secret: email   (secret)\n" +
        "in.jsonl:2:69  /password  a secret: secret  (secret)\n" +
        "doc.json:2:8   /a         a secret: email   (secret)\n",
      stderr:
        "  read               3 records, 4 secrets: 3 email, 1 secret; 4 errors, 0 warnings\n",
    });
  });

  test("quotes no secret: neither in a pointer nor in a syntax error", async () => {
    folder.write(
      "in.jsonl",
      '{"bob@example.com":{"a/b":["amy@example.com"]}}\nAKIAQZ7XW3RT5YPLKJ2H\n{"a": hunter2zz}\n',
    );
    folder.write("values", "hunter2zz\n");
    for (const format of ["text", "json", "sarif", "junit", "github"]) {
      const argv = ["--check", "in.jsonl", "--redact-values", "values", "--format", format];
      const { stdout } = await redact(...argv);
      expect(stdout).toMatch(/\[redacted:email:[0-9a-f]{8}\]\/a~1b\/0|%5Bredacted/);
      expect(stdout).not.toMatch(/example\.com|AKIA|hunter2/);
    }
  });

  test("passes what redact has written, whatever joins a line's parts", async () => {
    const text = '{"a":1} bob@\rexample.com\n{"a":\r"x"}\nloading 10%\rloading 20% \r done\n';
    folder.write("in.jsonl", text);
    folder.write("torn.json", '{\n "a": "bob@\n example.com\n');
    await redact("in.jsonl", "torn.json", "--output", "out.jsonl");
    expect(read("out.jsonl")).toBe(`${text}{\n "a": "bob@\n example.com\n`);
    expect(await redact("--check", "out.jsonl")).toMatchObject({ exitCode: EXIT.ok });
  });

  test("passes what redact has written, word by word", async () => {
    folder.write(
      "in.jsonl",
      '{"pass":"-4111111111111111","secret":{"a":"4111 1111 1111 1111@&"},"l":["password","4111 1111 1111 1111x="]}\n',
    );
    await redact("in.jsonl", "--output", "out.jsonl");
    expect(await redact("--check", "out.jsonl")).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });

  test("passes what redact has written", async () => {
    folder.write("in.jsonl", '{"bob@example.com":"amy@example.com","password":"hunter2!"}\n');
    expect(await redact("in.jsonl", "--output", "out.jsonl")).toMatchObject({ exitCode: EXIT.ok });
    expect(await redact("--check", "out.jsonl")).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });

  test("a file without records is an error", async () => {
    folder.write("empty.jsonl", "\n");
    expect(await redact("--check", "empty.jsonl")).toMatchObject({ exitCode: EXIT.findings });
  });
});

describe("placeholders", () => {
  test("are the same in every run with the same key, and not without", async () => {
    folder.write("in.jsonl", '{"a":"bob@example.com"}\n');
    folder.write("key", "0123456789abcdef");
    const outputs: string[] = [];
    for (const key of [["--redact-key", "key"], ["--redact-key", "key"], []]) {
      await redact("in.jsonl", "--output", "out.jsonl", ...key);
      outputs.push(read("out.jsonl"));
    }
    expect(outputs[0]).toBe(outputs[1]);
    expect(outputs[0]).not.toBe(outputs[2]);
  });

  test("stand for known values too", async () => {
    folder.write("in.jsonl", '{"a":"the code is open sesame, 123456"}\n');
    folder.write("values", "open sesame\r\n\n123456\n");
    await redact("in.jsonl", "--output", "out.jsonl", "--redact-values", "values");
    const kind = String.raw`\[redacted:value:[0-9a-f]{8}\]`;
    expect(read("out.jsonl")).toMatch(new RegExp(`"the code is ${kind}, ${kind}"`));
  });
});

test.each([
  [["in.jsonl"], "give --output FILE, or --check to write nothing"],
  [["in.jsonl", "--check", "--output", "x"], "--check writes nothing: omit --output"],
  [
    ["in.jsonl", "--check", "--redact-key", "short"],
    "--redact-key short: 3 bytes, at least 16 are needed, such as those of: openssl rand -hex 32",
  ],
  [
    ["in.jsonl", "--check", "--redact-values", "short"],
    "--redact-values short:1: 3 characters: values of fewer than 6 occur in too many words",
  ],
  [["in.jsonl", "--output", "in.jsonl"], "output in.jsonl: is also an input"],
  [["in.jsonl", "--output", "key", "--redact-key", "key"], "output key: is also an input"],
  [["in.jsonl", "--output", "key", "--redact-values", "key"], "output key: is also an input"],
])("wrong usage is one line: %j", async (argv, message) => {
  folder.write("in.jsonl", "{}\n");
  folder.write("short", "abc");
  folder.write("key", "0123456789abcdef");
  const { exitCode, stderr } = await redact(...argv);
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr.split("\n")[0]).toBe(message);
});

test("the commands of docs/redaction.md run", async () => {
  const page = readFileSync(join(packageRoot(), "docs/redaction.md"), "utf8");
  const commands = readCodeBlocks(page, "sh")
    .join("")
    .split("\n")
    .filter((line) => line !== "");
  folder.write("rollouts.jsonl", `${JSON.stringify(createBranch({ task: "bob@example.com" }))}\n`);
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) {
    const [program, ...argv] = command.replace(/ +#.*/, "").split(" ");
    expect(program).toBe("rollout-wire");
    expect(await folder.run(argv)).toMatchObject({ exitCode: EXIT.ok });
  }
  expect(read("clean.jsonl")).toMatch(EMAIL);
});
