import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Config, type DriftReport, isDriftReport } from "#generated/index.js";
import { CONFIG_FILE } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { LOCK_FILE } from "../../contract/drift/lock.js";
import { configurePresent } from "../../contract/drift/testing/layouts.js";
import { createReplica, FORK, PPO, RECORDS } from "../../contract/drift/testing/replica.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
const at = (...parts: string[]) => join(folder.path, ...parts);
const ORIGIN = "pipeline";
const COPY = "src/datafactory/rollout-wire.schema.json";

function git(cwd: string, ...args: string[]): string {
  const options = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...options, ...args], { cwd: at(cwd), encoding: "utf8" });
}

/** As git for Windows clones. */
function clone(name: string): void {
  git(".", "clone", "--quiet", "--config", "core.autocrlf=true", ORIGIN, name);
}

async function drift(...args: string[]) {
  const { stdout, exitCode } = await folder.run(["drift", ...args, "--format", "json"]);
  const report: unknown = JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error("drift prints no DriftReport");
  return { report, exitCode };
}

/** How many files of the Python package git converted: an empty file has no line ends. */
const countConverted = (): number => {
  const folder = at("converted", "src/rollout_wire");
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)));
  return files.filter((file) => file.isFile() && file.size > 0).length;
};

const withId = ({ findings }: DriftReport, wanted: string) =>
  findings.filter(({ id }) => id === wanted);

beforeAll(async () => {
  createReplica(folder.path);
  configurePresent("trace-pipeline", at(ORIGIN));
  expect((await folder.run(["sync", "--repo", ORIGIN])).exitCode).toBe(EXIT.ok);
  // A fork that is nothing but another name.
  writeFileSync(at(ORIGIN, "schemas/wire.json"), readFileSync(at(ORIGIN, COPY)));
  const here = { cwd: at(ORIGIN) };
  const config: Config = JSON.parse(readFileSync(at(ORIGIN, CONFIG_FILE), "utf8"));
  const fixtures = [{ schema: "rollout-wire", version: "1.0.0", path: RECORDS }];
  writeFileSync(at(ORIGIN, CONFIG_FILE), JSON.stringify({ ...config, fixtures }, null, 2));
  await folder.run(["drift", "--accept", "they stay"], here);
  git(ORIGIN, "init", "--quiet", "--initial-branch", "main");
  git(ORIGIN, "add", "--all");
  git(ORIGIN, "commit", "--quiet", "--message", "copies");
  clone("converted");
});

test("git has converted every text, also the configuration and the lock", () => {
  for (const path of [COPY, FORK, RECORDS, CONFIG_FILE, LOCK_FILE, "src/rollout_wire/_drift.py"]) {
    expect(readFileSync(at("converted", path)).includes("\r\n")).toBe(true);
  }
});

test("copies that git converted are warnings, each with its line for .gitattributes", async () => {
  const { stdout, exitCode } = await folder.run(["drift"], { cwd: at("converted") });
  expect(exitCode).toBe(EXIT.ok);
  const said = stdout.split("\n").filter((line) => line.endsWith("(line-ends)"));
  expect(said).toHaveLength(2);
  const advice = `add "${COPY} -text" to .gitattributes, so that git does not convert them`;
  expect(said[0]).toContain(`${COPY}:1:1 `);
  expect(said[0]).toContain(`(line)  warning: is identical but for line ends: ${advice}`);
  expect(said[1]).toContain(
    `like ${countConverted() - 1} other files: add "src/rollout_wire/** -text" to .gitattributes`,
  );
  const { report } = await drift("--repo", "converted");
  const grades = report.copies.map(({ grade }) => grade);
  expect(grades.filter((grade) => grade === "line-ends")).toHaveLength(countConverted() + 1);
  expect(new Set(grades)).toEqual(new Set(["line-ends", "identical"]));
});

test("a configuration may call them errors", async () => {
  clone("strict");
  const file = at("strict", CONFIG_FILE);
  const config: Config = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...config, severity: { "line-ends": "error" } }));
  expect((await drift("--repo", "strict")).exitCode).toBe(EXIT.findings);
});

test("the baseline accepts a file that git converted", async () => {
  const { report, exitCode } = await drift("--repo", "converted");
  expect(exitCode).toBe(EXIT.ok);
  expect([withId(report, "unregistered"), withId(report, "stale-baseline")]).toEqual([[], []]);
});

test("forks and records are judged as they are without conversion", async () => {
  const runs = [];
  for (const name of ["plain", "crlf"]) {
    git(".", "clone", "--quiet", "-c", `core.autocrlf=${name === "crlf"}`, ORIGIN, name);
    git(name, "rm", "--quiet", CONFIG_FILE);
    const { report } = await drift("--repo", `pipeline=${name}`);
    const replays = withId(report, "replay").map(({ line, column, message }) => [
      ...[line, column],
      message.replaceAll(name, ""),
    ]);
    runs.push({ forks: report.forks, replays });
  }
  const [plain, crlf] = runs;
  expect(plain?.forks.map(({ path }) => path)).toEqual(["schemas/wire.json", FORK, PPO].sort());
  expect(plain?.replays.length).toBeGreaterThan(0);
  expect(crlf?.replays).toEqual(plain?.replays);
  const plainly = plain?.forks.map((fork) =>
    fork.grade === "identical" ? { ...fork, grade: "line-ends" } : fork,
  );
  expect(crlf?.forks).toEqual(plainly);
});

test("repositories with and without conversion agree", async () => {
  git(".", "clone", "--quiet", ORIGIN, "one");
  clone("two");
  for (const name of ["one", "two"]) git(name, "rm", "--quiet", CONFIG_FILE);
  const { report } = await drift("--repo", "a=one", "b=two");
  // The copy and the fork differ, in both.
  const groups = (report.disagreements ?? []).flatMap((each) => each.groups);
  expect(groups.map(({ repositories }) => repositories)).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
});

test("Python without Node says the same", () => {
  const run = () =>
    execFileSync("python3", ["-m", "rollout_wire", "drift"], {
      cwd: at("converted"),
      encoding: "utf8",
      env: { PATH: process.env.PATH, PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    });
  // It exits with 0, else this throws.
  const lines = run().trimEnd().split("\n");
  expect(lines).toHaveLength(countConverted() + 1);
  expect(lines[0]).toBe(
    `${COPY}:1:1  (line)  warning: is identical but for line ends: add "${COPY} -text" to .gitattributes, so that git does not convert them  (line-ends)`,
  );
});

test("sync restores the line ends without --force, and .gitattributes keeps them", async () => {
  clone("fixed");
  const lock = readFileSync(at("fixed", LOCK_FILE));
  const { stdout } = await folder.run(["drift"], { cwd: at("fixed") });
  const lines = [...stdout.matchAll(/add "(.*?)" to \.gitattributes/g)].map(([, line]) => line);
  const synced = await folder.run(["sync"], { cwd: at("fixed") });
  expect(synced).toMatchObject({ exitCode: EXIT.ok });
  expect(synced.stdout).toContain(`update     ${COPY}`);
  expect(synced.stdout).toContain("    only line ends differ\n");
  expect(readFileSync(at("fixed", COPY)).equals(readFileSync(at(ORIGIN, COPY)))).toBe(true);
  expect(readFileSync(at("fixed", LOCK_FILE)).equals(lock)).toBe(true);
  appendFileSync(at("fixed", ".gitattributes"), lines.map((line) => `${line}\n`).join(""));
  git("fixed", "add", "--all");
  expect(git("fixed", "status", "--porcelain")).toBe("A  .gitattributes\n");
  git("fixed", "commit", "--quiet", "--message", "keep the line ends");
  git(".", "clone", "--quiet", "--config", "core.autocrlf=true", "fixed", "again");
  const { report, exitCode } = await drift("--repo", "again");
  expect([exitCode, withId(report, "line-ends")]).toEqual([EXIT.ok, []]);
});

test("a copy that was changed too is red, and sync refuses it", async () => {
  clone("changed");
  const file = at("changed", COPY);
  writeFileSync(file, readFileSync(file, "utf8").replace('"minimum": 1', '"minimum": 2'));
  const { report, exitCode } = await drift("--repo", "changed");
  expect([exitCode, withId(report, "breaking").length]).toEqual([EXIT.findings, 1]);
  const { stdout, exitCode: refused } = await folder.run(["sync", "--repo", "changed"]);
  expect(refused).toBe(EXIT.findings);
  expect(stdout.match(/^ +[-+]/gm)).toHaveLength(2);
});
