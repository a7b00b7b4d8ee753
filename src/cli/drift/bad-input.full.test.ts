import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CONFIG_FILE, packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { configurePresent } from "../../contract/drift/testing/layouts.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
const COPY = "packages/core/src/ranking/schemas/rollout-wire.schema.json";
const at = (...parts: string[]) => join(folder.path, ...parts);

beforeAll(async () => {
  for (const name of ["one", "two"]) {
    configurePresent("wasmagent-js", at(name));
    expect((await folder.run(["sync", "--repo", name])).exitCode).toBe(EXIT.ok);
  }
});

/** A repository that is as healthy as the two others, before it is damaged. */
function create(name: string): string {
  cpSync(at("one"), at(name), { recursive: true });
  return at(name);
}

beforeEach(() => {
  rmSync(at("bad"), { recursive: true, force: true });
  create("bad");
});

/** The bad ones stand between the two healthy ones, whose copies must have been compared: each has three. */
async function drift(...bad: string[]) {
  const result = await folder.run(["drift", "--repo", "one", ...bad, "two"]);
  const rows = result.stdout.split("\n").filter((line) => line.endsWith("  identical"));
  return { ...result, healthy: rows.length };
}

function git(cwd: string, ...args: string[]): string {
  const options = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...options, ...args], { cwd, encoding: "utf8" }).trim();
}

/** A repository in which a file is something else. */
function replace(name: string, path: string, write: (file: string) => void): void {
  const file = join(create(name), path);
  rmSync(file, { recursive: true });
  write(file);
}

/** A file of zeros that takes no room. */
function writeSparse(file: string, size: number): void {
  writeFileSync(file, "");
  truncateSync(file, size);
}

describe("a repository that cannot be read is one line, and the others are checked", () => {
  test("a folder, a link, a copy", async () => {
    const long = "x".repeat(300);
    writeFileSync(at("file"), "");
    symlinkSync("nowhere", at("dangling"));
    symlinkSync("circle", at("circle"));
    mkdirSync(at("broken/.git"), { recursive: true });
    writeFileSync(at("broken/.git/HEAD"), "ref: refs/heads/main\n");
    replace("config", CONFIG_FILE, (file) => symlinkSync(CONFIG_FILE, file));
    replace("copy", COPY, (file) => symlinkSync("rollout-wire.schema.json", file));
    replace("huge", COPY, (file) => writeSparse(file, 2 ** 31));
    replace("large", COPY, (file) => writeSparse(file, 17 * 2 ** 20));
    const wanted = {
      file: "file: is a file, not a folder",
      dangling: "dangling: is a symbolic link that leads nowhere",
      circle: "circle: its symbolic links lead in a circle",
      [long]: `${long}: its name is too long`,
      "broken#HEAD": "fatal: not a git repository",
      config: `config/${CONFIG_FILE}: its symbolic links lead in a circle`,
      copy: `copy/${COPY}: its symbolic links lead in a circle`,
      huge: `huge/${COPY}: is too large to be read at once: more than 2 GiB`,
      large: `large/${COPY}: is too large for a copy`,
    };
    const { exitCode, stdout, stderr, healthy } = await drift(...Object.keys(wanted));
    const lines = stdout.split("\n").filter((line) => line.includes("(unreachable)"));
    expect(lines).toHaveLength(9);
    for (const [place, said] of Object.entries(wanted)) {
      expect(lines.find((line) => line.startsWith(`${place}:1:1 `))).toContain(said);
    }
    expect([exitCode, healthy]).toEqual([EXIT.unreadable, 6]);
    expect(stderr).toContain("9 errors, 0 warnings (6 copies and 0 forks in 2 repositories");
  });

  test("a configuration", async () => {
    const odd = ":1:1  (line)  is not a regular file: ";
    const wanted: Readonly<Record<string, readonly [(file: string) => void, said: string]>> = {
      version: [
        (file) => writeFileSync(file, '{ "config_version": "config/v2" }'),
        `:1:21  /config_version  must be "config/v1", is "config/v2", a newer version`,
      ],
      link: [(file) => symlinkSync("nowhere", file), odd],
      folder: [(file) => mkdirSync(file), odd],
      pipe: [(file) => execFileSync("mkfifo", [file]), odd],
      large: [(file) => writeSparse(file, 17 * 2 ** 20), ":1:1  (line)  is too large: "],
      bytes: [
        (file) => writeFileSync(file, Buffer.from('{ "a": "\xff" }', "latin1")),
        ":1:9  (line)  is not UTF-8: byte 0xff",
      ],
    };
    for (const [name, [write]] of Object.entries(wanted)) {
      replace(`configured-${name}`, CONFIG_FILE, write);
    }
    const names = Object.keys(wanted).map((name) => `configured-${name}`);
    const { exitCode, stdout, healthy } = await drift(...names);
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "));
    for (const [name, [, said]] of Object.entries(wanted)) {
      const place = `configured-${name}/${CONFIG_FILE}${said}`;
      expect(lines.filter((line) => line.startsWith(place))).toHaveLength(1);
    }
    expect([exitCode, healthy]).toEqual([EXIT.unreadable, 6]);
    // The same alone.
    const alone = await folder.run(["drift"], { cwd: at("configured-link") });
    expect(alone).toMatchObject({
      exitCode: EXIT.unreadable,
      stdout: expect.stringMatching(/^rollout-wire\.config\.json:1:1 .*is not a regular file/),
    });
  });
});

describe("hostile names", () => {
  const schema = join(packageRoot(), "schema/rollout-wire.schema.json");

  test("are printed in one line without control characters, and quoted in commands", async () => {
    const names = ["a\nb.json", "\u001b[31mred.json", "--force.json", "$(touch x).json"];
    for (const name of names) cpSync(schema, at("bad", name));
    cpSync(schema, at("bad/dist.json"));
    execFileSync("mkfifo", [at("bad/x.jsonl")]);
    writeFileSync(at("bad/y.jsonl"), "");
    truncateSync(at("bad/y.jsonl"), 2 ** 31);
    writeFileSync(Buffer.concat([Buffer.from(at("bad/z")), Buffer.of(0xff)]), "{}");
    symlinkSync(".", at("bad/self"));
    symlinkSync("up", at("bad/up"));
    const { exitCode, stdout, stderr, healthy } = await drift("bad");
    expect([exitCode, healthy]).toEqual([EXIT.findings, 9]);
    const lines = stdout.split("\n").filter((line) => line.includes("unregistered copy"));
    expect(lines).toHaveLength(names.length + 1);
    for (const shown of ["a\\u000ab.json:1:1", "\\u001b[31mred.json:1:1", "--force.json:1:1"]) {
      expect(stdout).toContain(`bad/${shown}`);
    }
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
    expect(stdout).toMatch(/bad\/y\.jsonl:1:1 .* is too large: more than 16 MiB, .*\(not-read\)/);
    expect(stdout).toMatch(/bad\/z\ufffd:1:1 .* cannot be read, .*\(not-read\)/);
    expect(stdout).not.toContain("x.jsonl");
  });

  test("a commit with names that no file system has", async () => {
    git(folder.path, "init", "--quiet", "--initial-branch", "main", "bad");
    const blob = git(folder.path, "-C", "bad", "hash-object", "-w", schema);
    const entry = (name: string | Buffer) =>
      Buffer.concat([
        Buffer.from("100644 "),
        Buffer.from(name),
        Buffer.of(0),
        Buffer.from(blob, "hex"),
      ]);
    const evil = [
      "--force.json",
      "..",
      "/etc/passwd.json",
      "a\nb.json",
      Buffer.of(0x62, 0xff),
      "x".repeat(300),
    ];
    const tree = execFileSync(
      "git",
      ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"],
      {
        cwd: at("bad"),
        input: Buffer.concat(evil.map(entry)),
        encoding: "utf8",
      },
    ).trim();
    const commit = git(at("bad"), "commit-tree", tree, "-m", "evil");
    const { exitCode, stdout, healthy } = await drift(`bad#${commit}`);
    expect([exitCode, healthy]).toEqual([EXIT.findings, 6]);
    const lines = stdout.split("\n").filter((line) => line.includes("unregistered copy"));
    expect(lines).toHaveLength(evil.length);
    expect(stdout).toContain(`bad#${commit}:a\\u000ab.json:1:1`);
  });
});

test("sync refuses in one line, and writes nothing", async () => {
  const wanted = [
    ["sync-config", CONFIG_FILE, "is not a regular file"],
    ["sync-copy", COPY, "is a symbolic link"],
  ] as const;
  for (const [name, path, said] of wanted) {
    replace(name, path, (file) => symlinkSync("nowhere", file));
    const { exitCode, stdout, stderr } = await folder.run(["sync", "--repo", name]);
    expect(stderr.split("\n")).toEqual([expect.stringContaining(`${name}/${path}`), ""]);
    expect(stderr).toContain(said);
    expect([exitCode === EXIT.ok, stdout]).toEqual([false, ""]);
  }
});
