import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { git } from "../src/base/files/git.js";
import { createTempFolder, type TempFolder } from "../src/base/files/temp.js";
import { useFolder } from "../src/base/testing/use-folder.js";
import { EXIT } from "../src/base/user-error.js";
import { run } from "./release-package.js";
import { runInProcess } from "./testing/run-in-process.js";

/** A checkout that lacks only what a real release has besides: the artefacts of a rehearsal. */
let ready: TempFolder;
/** The path of a file in the checkout that is being filled: `ready`, then its copy for a test. */
let at: (...parts: string[]) => string;
const ofTest = useFolder();

function write(file: string, text: string): void {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}

function writeManifest(fields: Readonly<Record<string, unknown>>): void {
  const page = "https://github.com/jane/rollout-wire";
  const manifest = {
    version: "1.2.3",
    author: { name: "Jane Doe" },
    repository: { url: `git+${page}.git` },
    ...fields,
  };
  write("package.json", JSON.stringify(manifest));
}

function commit(): void {
  git(at(), "add", ".");
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  git(at(), ...author, "commit", "--quiet", "--allow-empty", "-m", "x");
}

beforeAll(() => {
  ready = createTempFolder();
  at = (...parts) => join(ready.path, ...parts);
  writeManifest({});
  write("package-lock.json", '{"version": "1.2.3"}');
  write("integrations/spark/pyproject.toml", '[project]\nversion = "1.2.3"\n');
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (2026-01-01)\n\n- First.\n\n## 1.2.2\n\n- Old.\n");
  git(at(), "init", "--quiet");
  commit();
  git(at(), "tag", "v1.2.3");
});

afterAll(() => ready.remove());

beforeEach(() => {
  at = ofTest;
  cpSync(ready.path, at(), { recursive: true });
});

const release = (argv: readonly string[], env?: Readonly<Record<string, string>>) =>
  runInProcess(run, argv, { root: at(), ...(env && { env }) });

test("all requirements are met; what the rehearsal built is missing", async () => {
  expect(await release([])).toEqual({
    status: EXIT.findings,
    stdout: "1.2.3: 6 requirements met\n",
    stderr:
      "out/release does not hold 1.2.3 as it was built: npm run release:package -- --dry-run\n",
  });
});

test.each<[what: string, change: () => void, line: string]>([
  [
    "no author yet",
    () => writeManifest({ author: { name: "<author>" } }),
    "package.json: /author/name is <author>: write the name of the author   (placeholders)",
  ],
  [
    "no owner yet",
    () => writeManifest({ repository: { url: "git+https://github.com/<owner>/rollout-wire.git" } }),
    "package.json: /repository/url is https://github.com/<owner>/rollout-wire: write its address, such as git+https://github.com/jane/rollout-wire.git   (placeholders)",
  ],
  [
    "a page that names another repository",
    () => write("docs/ci.md", "steps:\n  - uses: <owner>/rollout-wire@v1.2.3\n"),
    "docs/ci.md:2 names https://github.com/<owner>/rollout-wire: write https://github.com/jane/rollout-wire, as package.json says   (placeholders)",
  ],
  [
    "another version of the package for Spark",
    () => write("integrations/spark/pyproject.toml", 'version = "1.2.2"\n'),
    "integrations/spark/pyproject.toml has version 1.2.2, package.json 1.2.3: write that version   (versions)",
  ],
  [
    "another version in the lock file",
    () => write("package-lock.json", "{}"),
    "package-lock.json has version none, package.json 1.2.3: npm install --package-lock-only   (versions)",
  ],
  [
    "a section that is still unreleased",
    () => write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (unreleased)\n\n- First.\n"),
    `CHANGELOG.md:3 says (unreleased): make it "## 1.2.3 (`,
  ],
  [
    "no section of this version",
    () => write("CHANGELOG.md", "# Changelog\n\n## 1.2.30\n\n- Later.\n"),
    `CHANGELOG.md has no section with text for 1.2.3: write one, "## 1.2.3 (`,
  ],
  [
    "an empty section",
    () => write("CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n\n- Old.\n"),
    `CHANGELOG.md has no section with text for 1.2.3: write one, "## 1.2.3 (`,
  ],
])("red: %s", async (_what, change, line) => {
  change();
  const { status, stdout } = await release(["--dry-run"]);
  expect([status, stdout]).toEqual([EXIT.findings, expect.stringContaining(line)]);
});

test("red: what is not committed", async () => {
  write("a.txt", "");
  write("CHANGELOG.md", "## 1.2.3\n\n- Edited.\n");
  expect((await release([])).stdout).toBe(
    "not committed: CHANGELOG.md and 1 more file; commit or restore what has changed   (committed)\nnothing published: 1 thing to do first\n",
  );
});

test("red: the tag of another version", async () => {
  git(at(), "tag", "v1.2.4");
  expect((await release(["--dry-run"])).stdout).toContain(
    "v1.2.4 is no tag of 1.2.3, the version of package.json: change one of them   (tag)\n",
  );
});

test("red: the tag of an earlier commit", async () => {
  commit();
  expect((await release(["--dry-run"])).stdout).toContain(
    "the tag v1.2.3 is that of another commit: raise the version in package.json   (tag)\n",
  );
});

test("red: no tag, unless nothing is published", async () => {
  git(at(), "tag", "--delete", "v1.2.3");
  expect((await release([])).stdout).toContain("the commit has no tag: git tag v1.2.3   (tag)\n");
});

test("red: the workflow of another repository", async () => {
  const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "jane/rollout-wire" };
  expect((await release([], env)).stdout).toBe("1.2.3: 6 requirements met\n");
  const { stdout } = await release([], { ...env, GITHUB_REPOSITORY: "joe/fork" });
  expect(stdout).toContain(
    "package.json: /repository/url is https://github.com/jane/rollout-wire, but this is https://github.com/joe/fork: correct it   (repository)\n",
  );
});

test("red: package.json without an author", async () => {
  writeManifest({ author: "Jane Doe" });
  expect(await release(["--dry-run"])).toEqual({
    status: EXIT.findings,
    stdout: "",
    stderr: "package.json: /author/name must be a text\n",
  });
});
