import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withFetching } from "../../../base/files/git.js";
import { UserError } from "../../../base/user-error.js";
import { openTree } from "./open.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-trees-"));
const repository = join(folder, "repository");
const scratch = join(folder, "scratch");
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  vi.stubEnv("TMPDIR", scratch);
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
}

beforeAll(() => {
  for (const path of ["src", "dist", "node_modules/a"]) {
    mkdirSync(join(repository, path), { recursive: true });
  }
  writeFileSync(join(repository, "src/a b.json"), '{"a": 1}');
  writeFileSync(join(repository, "dist/ä.json"), "{}\n");
  writeFileSync(join(repository, "empty.txt"), "");
  writeFileSync(join(repository, "node_modules/a/a.json"), "{}");
  symlinkSync("src/a b.json", join(repository, "link.json"));
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@t.example");
  git("add", "--force", ".");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v1");
  git("clone", "--quiet", "--bare", ".", `${repository}-bare`);
  // The git tree has the committed files, the working tree the current ones.
  writeFileSync(join(repository, "src/a b.json"), '{"a": 2}');
});

const FILES = ["dist/ä.json", "empty.txt", "src/a b.json"];

describe.each([
  ["a folder", () => repository, '{"a": 2}'],
  ["a folder at a tag", () => `${repository}#v1`, '{"a": 1}'],
  ["a bare repository", () => `${repository}-bare`, '{"a": 1}'],
  ["a url", () => pathToFileURL(repository).href, '{"a": 1}'],
  ["a url at a branch", () => `${pathToFileURL(repository).href}#main`, '{"a": 1}'],
])("%s", (_, nameOf, text) => {
  test("has files, with their bytes, and is at a commit", () => {
    const tree = openTree(nameOf(), folder);
    try {
      expect(tree.files().map(({ path }) => path)).toEqual(FILES);
      expect(tree.files().find(({ path }) => path === "src/a b.json")?.size).toBe(8);
      expect(tree.read("src/a b.json")?.toString("utf8")).toBe(text);
      expect(tree.filesIn("").map(({ path }) => path)).toEqual(["empty.txt"]);
      expect(tree.filesIn("src").map(({ path }) => path)).toEqual(["src/a b.json"]);
      expect(tree.filesIn("none")).toEqual([]);
      expect(tree.read("none.json")).toBeUndefined();
      expect(tree.read("src")).toBeUndefined();
      const many = [...tree.readMany([...FILES, "none.json"])];
      expect(many.map(([path, bytes]) => [path, bytes?.toString("utf8")])).toEqual([
        ["dist/ä.json", "{}\n"],
        ["empty.txt", ""],
        ["src/a b.json", text],
      ]);
      expect(tree.commit).toBe(git("rev-parse", "HEAD"));
    } finally {
      tree.close();
    }
  });
});

test("removes what was fetched", () => {
  const tree = openTree(pathToFileURL(repository).href, folder);
  expect(readdirSync(scratch)).toHaveLength(1);
  tree.close();
  expect(readdirSync(scratch)).toEqual([]);
});

test("a folder outside of git has no commit", () => {
  expect(openTree(folder, folder).commit).toBeUndefined();
});

describe("an unreachable tree is a one-line error", () => {
  test.each([
    ["nowhere", "nowhere: no such folder; nor is it <folder>#<git ref>"],
    ["repository#v9", "git rev-parse"],
    ["repository#--all", "git rev-parse"],
    ["file:///nowhere/at/all", "does not appear to be a git repository"],
    ["repository/.git#-x", "rev-parse --verify"],
  ])("%s", (name, said) => {
    expect(() => openTree(name, folder)).toThrow(said);
    expect(readdirSync(scratch)).toEqual([]);
  });
});

describe("files that are not regular, or not there", () => {
  const odd = join(folder, "odd");
  beforeEach(() => mkdirSync(odd));
  afterEach(() => rmSync(odd, { recursive: true }));

  test("a pipe and a link to a device are no files, and are not read", () => {
    execFileSync("mkfifo", [join(odd, "pipe.json")]);
    symlinkSync("/dev/zero", join(odd, "zero.json"));
    const tree = openTree(odd, folder);
    expect(tree.files()).toEqual([]);
    expect([tree.read("pipe.json"), tree.read("zero.json")]).toEqual([undefined, undefined]);
  });

  test("a name that is not UTF-8 cannot be read", () => {
    writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), Buffer.of(0x61, 0xff)]), "{}");
    const tree = openTree(odd, folder);
    const [file] = tree.files();
    expect(file).toEqual({ path: "a\ufffd", size: 0 });
    expect(() => tree.read("a\ufffd")).toThrow(UserError);
    expect([...tree.readMany(["a\ufffd"])]).toEqual([["a\ufffd", undefined]]);
  });

  test("a file that is deleted after it was listed is left out", () => {
    writeFileSync(join(odd, "a.json"), "{}");
    const tree = openTree(odd, folder);
    const [file] = tree.files();
    rmSync(join(odd, "a.json"));
    expect([...tree.readMany([file?.path ?? ""])]).toEqual([]);
  });
});

describe("a partial clone", () => {
  const clone = join(folder, "partial");
  const at = `${clone}#HEAD~1`;
  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  /** The working tree has the files of the second commit; those of the first are not fetched. */
  function clonePartially(...options: string[]): void {
    const origin = `${repository}-origin`;
    rmSync(origin, { recursive: true, force: true });
    execFileSync("git", ["clone", "--quiet", repository, origin]);
    const run = (...args: string[]) => execFileSync("git", args, { cwd: origin, stdio: "ignore" });
    run("config", "uploadpack.allowFilter", "true");
    writeFileSync(join(origin, "src/a b.json"), '{"a": 3}');
    run("-c", "user.name=t", "-c", "user.email=t@t.example", "commit", "--all", "-m", "second");
    execFileSync("git", ["clone", "--quiet", ...options, pathToFileURL(origin).href, clone]);
  }

  test("a file that it lacks is said to be not fetched yet, not missing", () => {
    clonePartially("--filter=blob:none");
    const tree = openTree(at, folder);
    const said = `not fetched yet: ${at}:src/a b.json at ${tree.commit?.slice(0, 12)}, not in this partial clone: run git fetch --refetch --no-filter there, or add --fetch`;
    expect(messageOf(() => tree.read("src/a b.json"))).toBe(`UserError: ${said}`);
    expect(messageOf(() => tree.files())).toBe(`UserError: ${said}`);
  });

  test("the commit whose files it has is read", () => {
    clonePartially("--filter=blob:none");
    expect(openTree(`${clone}#HEAD`, folder).read("src/a b.json")?.toString()).toBe('{"a": 3}');
  });

  test("folders that it lacks are not fetched either", () => {
    clonePartially("--filter=tree:0", "--no-checkout");
    expect(() => openTree(at, folder).files()).toThrow(
      "not fetched yet: this partial clone lacks what it reads: run git fetch",
    );
  });

  test.each(["blob:none", "tree:0"])("%s: with consent they are fetched", (filter) => {
    clonePartially(`--filter=${filter}`, "--no-checkout");
    const read = () => openTree(at, folder).read("src/a b.json")?.toString();
    expect(withFetching(true, read)).toBe('{"a": 1}');
    // They are there now.
    expect(read()).toBe('{"a": 1}');
  });

  test("the advice works", () => {
    clonePartially("--filter=blob:none", "--no-checkout");
    const tree = openTree(at, folder);
    const [, command = ""] = /run git (.*) there/.exec(messageOf(() => tree.files())) ?? [];
    execFileSync("git", command.split(" "), { cwd: clone, stdio: "ignore" });
    expect(tree.files().map(({ path }) => path)).toEqual(FILES);
  });

  test("with consent, neither a hook nor an ext:: remote is run", () => {
    const mark = join(folder, "mark");
    clonePartially("--filter=blob:none", "--no-checkout");
    const hook = join(clone, ".git/hooks/reference-transaction");
    writeFileSync(hook, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const read = () => withFetching(true, () => openTree(at, folder).files().length);
    expect(read()).toBe(FILES.length);
    rmSync(clone, { recursive: true });
    clonePartially("--filter=blob:none", "--no-checkout");
    const set = (...args: string[]) => execFileSync("git", ["config", ...args], { cwd: clone });
    set("remote.origin.url", `ext::touch ${mark}`);
    set("protocol.ext.allow", "always");
    expect(read).toThrow("transport 'ext' not allowed");
    expect(existsSync(mark)).toBe(false);
  });
});

describe("no program that the repository names is run", () => {
  const inspected = join(folder, "inspected");
  const mark = join(folder, "mark");
  afterEach(() => {
    expect(existsSync(mark)).toBe(false);
    rmSync(inspected, { recursive: true });
  });

  function configure(...settings: (readonly [name: string, value: string])[]): void {
    for (const [name, value] of settings) {
      execFileSync("git", ["config", name, value], { cwd: inspected });
    }
  }

  /** A clone without its blobs, which git would fetch from `url` when they are read. */
  function clonePartially(url: string, ...options: string[]): void {
    git("config", "uploadpack.allowFilter", "true");
    const source = pathToFileURL(repository).href;
    const argv = ["clone", "--quiet", "--no-checkout", "--filter=blob:none", ...options];
    execFileSync("git", [...argv, source, inspected]);
    configure(
      ["remote.origin.url", url],
      ["protocol.allow", "always"],
      ["protocol.ext.allow", "always"],
      ["core.sshCommand", `touch ${mark}; false`],
      ["remote.origin.uploadpack", `touch ${mark}; git-upload-pack`],
    );
  }

  test.each([
    ["an ext:: remote", `ext::touch ${mark}`],
    ["an ssh remote", "ssh://host.invalid/repository"],
    ["a local remote", pathToFileURL(repository).href],
  ])("to fetch from %s of a partial clone", (_, url) => {
    clonePartially(url);
    const tree = openTree(`${inspected}#HEAD`, folder);
    expect(() => tree.files()).toThrow(UserError);
    tree.close();
  });

  test("to fetch from the remote of a bare partial clone", () => {
    clonePartially(`ext::touch ${mark}`, "--bare");
    const tree = openTree(inspected, folder);
    expect(() => tree.files()).toThrow(UserError);
    tree.close();
  });

  test("as a file system monitor or a hook", () => {
    git("clone", "--quiet", ".", inspected);
    configure(["core.fsmonitor", `touch ${mark}`], ["core.pager", `touch ${mark}`]);
    for (const name of [inspected, `${inspected}#HEAD`]) {
      const tree = openTree(name, folder);
      expect(tree.read("dist/ä.json")?.toString()).toBe("{}\n");
      tree.close();
    }
  });
});

describe("credentials in a URL are never shown", () => {
  test.each(["ada:pa55", "ghp_pa55", "ada:pa@55"])("%s", (user) => {
    const url = `http://${user}@127.0.0.1:1/repository.git`;
    const message = messageOf(() => openTree(url, folder));
    expect(message).toContain("http://***@127.0.0.1:1/repository.git");
    expect(message).not.toMatch(/pa55|pa@55/);
  });

  test("nor those of a place that is nowhere", () => {
    expect(messageOf(() => openTree("x http://ada:pa55@host/a b", folder))).not.toContain("pa55");
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  throw new Error("nothing was thrown");
}
