import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { isShownAs, readSteps, userPath } from "./testing/follow-page.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { readCommandLines } from "./testing/read-command-lines.js";

const page = readFileSync(join(packageRoot(), "docs/schemas.md"), "utf8");
const root = mkdtempSync(join(tmpdir(), "rollout-wire-page-"));
const folder = join(root, "tasks");
const TSC = join(packageRoot(), "node_modules/.bin/tsc");

let installed: InstalledPackage | undefined;
afterAll(() => {
  installed?.remove();
  rmSync(root, { recursive: true, force: true });
});

const NAMES = { NAME: "t", EMAIL: "t@t.example" };
const IDENTITY = Object.fromEntries(
  Object.entries(NAMES).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]),
);

/** Runs a line of the page; the registry has no such package before its first release. */
function bash(line: string): SpawnSyncReturns<string> {
  const tarball = installed?.tarball ?? "";
  const script = line.replace("npm install --save-dev rollout-wire", `npm install -D ${tarball}`);
  const env = { ...process.env, ...IDENTITY, PATH: userPath(), npm_config_prefer_offline: "true" };
  return spawnSync("bash", ["-c", `${script} 2>&1`], { cwd: folder, env, encoding: "utf8" });
}

function run(line: string): string {
  const { status, stdout } = bash(line);
  expect([line, status, status === 0 ? "" : stdout]).toEqual([line, 0, ""]);
  return stdout;
}

/** What the comments of a program say that it prints. */
const commentsOf = (text: string, mark: string): string[] =>
  text.split("\n").flatMap((line) => line.split(` ${mark} `).slice(1));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function runProgram(path: string, text: string): void {
  const isPython = path.endsWith(".py");
  const { stdout } = bash(isPython ? `python3 ${path}` : `node ${path.replace(/\.ts$/, ".js")}`);
  const comments = commentsOf(text, isPython ? "#" : "//");
  expect(comments).toHaveLength(2);
  for (const comment of comments) expect(stdout).toContain(comment);
}

/** The commands of the workflow, for a pull request to `main`; with the exit code of each. */
function runWorkflow(yaml: string): (readonly [string, number | null])[] {
  return readCommandLines(yaml).map(({ script }) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub
    const line = script.replace("${{ github.base_ref }}", "main");
    return [line.replace(/ .*(check|diff|ci).*/, " $1"), bash(line).status] as const;
  });
}

test("docs/schemas.md, word for word in a fresh folder: files, commands, programs, the workflow", () => {
  installed = installPackage();
  mkdirSync(folder);
  run("git init --quiet --initial-branch main && npm init --yes && touch pyproject.toml");
  write(".gitignore", "node_modules\n*.tsbuildinfo\n");
  let [workflow, edited] = ["", ""];
  let printed = 0;
  for (const step of readSteps(page, "In five minutes")) {
    if (step.kind === "file") {
      write(step.path, step.text);
      if (step.language === "json") edited = step.path;
      if (step.language === "yaml") workflow = step.text;
      if (step.language === "ts") {
        for (const [module, resolution] of [
          ["esnext", "bundler"],
          ["nodenext", "nodenext"],
        ]) {
          const kind = `--module ${module} --moduleResolution ${resolution}`;
          run(
            `${TSC} --ignoreConfig --strict --target es2022 --lib es2023,dom ${kind} ${step.path}`,
          );
        }
      }
      if (/\.(ts|py)$/.test(step.path)) runProgram(step.path, step.text);
    } else if (step.kind === "edit") {
      // The commit that the page has just made is what the pull request starts from.
      run("git init --quiet --bare ../origin && git remote add origin ../origin");
      run("git push --quiet origin main && git fetch --quiet");
      const green = [
        ["npm ci", 0],
        ["npx check", 0],
        ["npx diff", 0],
      ];
      expect(runWorkflow(workflow)).toEqual(green);
      const before = readFileSync(join(folder, edited), "utf8");
      write(edited, before.replace(step.from, step.to));
      expect(bash("npx rollout-wire check").status).toBe(1);
    } else {
      const last = step.lines.map((line) => bash(line)).at(-1);
      if (step.printed === "") continue;
      printed += 1;
      const text = last?.stdout.replace(/\d+\.\d\d s\b/, "0.00 s") ?? "";
      expect(isShownAs(text, step.printed) ? step.printed : text).toBe(step.printed);
    }
  }
  expect(printed).toBe(4);
  run("npx rollout-wire generate");
  run("git add --all && git commit --quiet --message change");
  const red = [
    ["npm ci", 0],
    ["npx check", 0],
    ["npx diff", 1],
  ];
  expect(runWorkflow(workflow)).toEqual(red);
});
