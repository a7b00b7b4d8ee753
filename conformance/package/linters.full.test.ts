import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { makeOnce } from "../../src/base/testing/make-once.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { runTool } from "./testing/run-tool.js";

/** What repositories check their Python with. */
const TOOLS = [
  "ruff==0.17.6",
  "black==26.10.1",
  "flake8==7.5.0",
  "isort==9.0.2",
  "pre-commit-hooks==6.0.0",
];

/** Strict settings; `ALL` are all rules of ruff that are not in preview, among them PGH004 against `# ruff: noqa`. */
const SETTINGS = `
[tool.ruff]
line-length = 60
[tool.ruff.lint]
select = ["ALL"]
# A copyright notice in every file, which the repository's own have not.
ignore = ["CPY001"]
[tool.black]
line-length = 60
[tool.isort]
profile = "black"
`;

const COPY = "myapp/contracts/rollout_wire";

const folder = createTestFolder();
let bin: string;

beforeAll(() => {
  bin = makeOnce("linters", (path) => {
    runTool("python3", ["-m", "venv", path], folder.path);
    const pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile"];
    runTool(join(path, "bin/python"), [...pip, ...TOOLS], folder.path);
  });
});
afterAll(() => folder.remove());

const at = (...path: string[]): string => join(folder.path, ...path);

/** A repository that its own checks find nothing in. */
beforeEach(() => {
  rmSync(at("repo"), { recursive: true, force: true });
  mkdirSync(at("repo/myapp/contracts"), { recursive: true });
  writeFileSync(at("repo/pyproject.toml"), SETTINGS);
  for (const file of ["myapp/__init__.py", "myapp/contracts/__init__.py"]) {
    writeFileSync(at("repo", file), '"""An application."""\n');
  }
  runTool("git", ["init", "--quiet"], at("repo"));
});

const CHECKS: readonly (readonly [tool: string, args: readonly string[]])[] = [
  ["ruff", ["check", "--no-cache", "."]],
  ["ruff", ["format", "--check", "--no-cache", "."]],
  ["black", ["--check", "."]],
  ["flake8", ["."]],
  ["isort", ["--check", "."]],
];

function check(tool: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(join(bin, "bin", tool), args, {
    cwd: at("repo"),
    encoding: "utf8",
  });
  return { status, printed: stdout + stderr };
}

function copyPackage(): string[] {
  cpSync(join(packageRoot(), "generated/python/rollout_wire"), at("repo", COPY), {
    recursive: true,
    filter: (path) => !path.endsWith("__pycache__"),
  });
  return readdirSync(at("repo", COPY)).map((name) => join(COPY, name));
}

describe.each(CHECKS)("%s %j", (tool, args) => {
  test("stays green after the package was copied in", () => {
    expect(check(tool, args)).toMatchObject({ status: EXIT.ok });
    copyPackage();
    expect(check(tool, args)).toMatchObject({ status: EXIT.ok });
  });

  test("would be red if the copy did not say that it is to be left alone", () => {
    for (const file of copyPackage()) {
      const text = readFileSync(at("repo", file), "utf8");
      writeFileSync(at("repo", file), text.replaceAll(/^# (?:ruff|flake8|isort|fmt): .*\n/gm, ""));
    }
    const { status, printed } = check(tool, args);
    expect(status).toBe(EXIT.findings);
    expect(printed).toContain("rollout_wire");
  });
});

test.each(["end-of-file-fixer", "trailing-whitespace-fixer"])(
  "the pre-commit hook %s changes no file of the copy",
  (hook) => {
    const files = copyPackage();
    expect(files.length).toBeGreaterThan(10);
    expect(check(hook, files)).toEqual({ status: EXIT.ok, printed: "" });
    writeFileSync(at("repo/myapp/__init__.py"), "a = 1 \n\n");
    expect(check(hook, ["myapp/__init__.py"])).toMatchObject({ status: EXIT.findings });
  },
);
