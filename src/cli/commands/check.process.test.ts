import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { checks } from "../../../conformance/checks/index.js";
import { packageRoot } from "../../base/package.js";
import { buildProgram } from "../../base/testing/build-program.js";
import { copyRepository, type RepositoryCopy } from "../../base/testing/copy-repository.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

/** Runs `check` in the checkout itself. */
function runHere(...argv: string[]): ReturnType<typeof folder.run> {
  return folder.run(["check", ...argv], { cwd: packageRoot() });
}

test("without a configuration there is nothing to check, and no other repository is reported on", async () => {
  const { exitCode, stdout, stderr } = await folder.run(["check", "--only", "registry"]);
  expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
  expect(stderr).toMatch(/^this folder and those above it: no .* run init --write .*--root DIR\n$/);
});

test("the checkout that contains the program passes", async () => {
  const { exitCode, stdout, stderr } = await runHere("--only", "registry");
  expect(stdout).toMatch(/^ {2}registry {2,}\d+ schemas, \d+ artefacts {2,}ok\n$/);
  expect(stderr).toMatch(/^0 findings in 1 check \(\d+ things checked, 0\.00 s\)\n$/);
  expect(exitCode).toBe(EXIT.ok);
});

test("--list prints every check with its purpose, and runs none", async () => {
  const { exitCode, stdout, stderr } = await folder.run(["check", "--list"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual(
    checks.map(({ id, purpose }) => [id, purpose]),
  );
  expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
});

test.each([
  ["--list", "--only", "registry"],
  ["--coverage-report", "--format", "json"],
])("%s runs no check, so that %s would say nothing", async (...argv) => {
  const { exitCode, stdout, stderr } = await folder.run(["check", ...argv]);
  expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
  expect(stderr).toContain("cannot be used with option");
});

test("an unknown check is a usage error", async () => {
  const { exitCode, stdout, stderr } = await runHere("--only", "registri");
  expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
  expect(stderr).toMatch(/^--only: no check is called "registri" \(did you mean registry\?\)/);
});

test.each([
  ["--list", "--format", "json"],
  ["--list", "--coverage-report"],
  ["--coverage-report", "--only", "registry"],
  ["--coverage-report", "--max-errors", "1"],
])("%s takes no %s, which it would ignore", async (...argv) => {
  const { exitCode, stdout, stderr } = await folder.run(["check", ...argv]);
  expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
  expect(stderr).toMatch(/^option '[^']*' cannot be used with option '[^']*' {2}Help: /);
});

test("--adapter requires the check agreement", async () => {
  const { exitCode, stderr } = await runHere(
    ...["--only", "registry", "--adapter", "python3 adapter.py"],
  );
  expect([exitCode, stderr]).toEqual([
    EXIT.usage,
    "--adapter is for the check agreement: name it too\n",
  ]);
});

test("a folder without a configuration", async () => {
  mkdirSync(join(folder.path, "elsewhere"));
  expect(await folder.run(["check", "--root", "elsewhere"])).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr:
      "elsewhere: no rollout-wire.config.json says which schemas to check: run init --write in the repository, or name its root with --root DIR\n",
  });
});

describe("the published program", () => {
  const program = buildProgram();

  test("has nothing to check where nothing says what there is", async () => {
    const { exitCode, stdout, stderr } = await runProgram(["check"], {
      main: program.main,
      cwd: folder.path,
    });
    expect([exitCode, stdout, stderr]).toEqual([
      EXIT.unreadable,
      "",
      expect.stringMatching(/^this folder and those above it: no rollout-wire\.config\.json /),
    ]);
  });
});

describe("a checkout with a fault", () => {
  let copy: RepositoryCopy;

  beforeEach(() => {
    copy = copyRepository(["fixtures/golden/support-desk", "schema", "rollout-wire.config.json"]);
    copy.edit("schema/released/SHA256SUMS", (text) => text.replace(/^./, "x"));
  });

  afterEach(() => copy.remove());

  const check = (...argv: string[]) =>
    folder.run(["check", "--root", copy.root, "--only", "released-immutable", ...argv]);

  test("fails, and reports the place and the fix relative to the working folder", async () => {
    const { exitCode, stdout, stderr } = await check();
    const file = relative(folder.path, join(copy.root, "schema/released/SHA256SUMS"));
    const [row, blank, ...group] = stdout.split("\n");
    expect(row).toMatch(/^ {2}released-immutable {2,}nothing {2,}1 finding$/);
    expect([blank, ...group]).toEqual([
      "",
      "released-immutable",
      `  ${file}:1:1  (released-hash)`,
      "        is not a line of sha256sum: 64 hexadecimal digits, two spaces, a path",
      expect.stringMatching(/^ {8}fix: {2}git restore/),
      "",
    ]);
    expect(stderr).toBe("1 finding in 1 check (0 things checked, 0.00 s)\n");
    expect(exitCode).toBe(EXIT.findings);
  });

  test("fails even if nothing is listed", async () => {
    const { exitCode, stdout } = await check("--max-errors", "0");
    expect(stdout).toMatch(/1 finding\n\.\.\. and 1 more error\n$/);
    expect(exitCode).toBe(EXIT.findings);
  });

  test("on GitHub, the table is added to the summary", async () => {
    const summary = join(folder.path, "summary.md");
    writeFileSync(summary, "before\n");
    const argv = [
      "check",
      "--root",
      copy.root,
      "--only",
      "released-immutable",
      "--format",
      "github",
    ];
    const { stdout } = await folder.run(argv, { env: { GITHUB_STEP_SUMMARY: summary } });
    expect(stdout).toContain("::error file=");
    expect(stdout).toContain("title=released-immutable%3A released-hash::");
    expect(readFileSync(summary, "utf8")).toMatch(
      /^before\n\| check .*\n.*\n\| `released-immutable` \|/,
    );
  });

  test("a summary that cannot be written is reported", async () => {
    const argv = [
      "check",
      "--root",
      copy.root,
      "--only",
      "released-immutable",
      "--format",
      "github",
    ];
    const env = { GITHUB_STEP_SUMMARY: join(folder.path, "none/summary.md") };
    const { exitCode, stderr } = await folder.run(argv, { env });
    expect(stderr).toMatch(/^GITHUB_STEP_SUMMARY: ENOENT/);
    expect(exitCode).toBe(EXIT.unreadable);
  });
});
