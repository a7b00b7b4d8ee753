import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findTagFaults } from "./find-released-faults.js";

const FILE = "schema/released/thing/v1.schema.json";
const SUMS = "schema/released/SHA256SUMS";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-tags-"));
  write("CHANGELOG.md", "# Changelog\n\n## 0.1.0 (unreleased)\n");
  write(FILE, '{"title": "before the first release"}\n');
  write(SUMS, "1\n");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  execFileSync("git", [...who, ...args], { cwd: root, stdio: "pipe" });
}

function commit(): void {
  git("add", ".");
  git("commit", "--quiet", "-m", "x");
}

function release(version: string): void {
  write("CHANGELOG.md", `# Changelog\n\n## 0.9.0 (unreleased)\n\n## ${version} (2026-01-01)\n`);
  commit();
  git("tag", `v${version}`);
}

function find(): unknown[] {
  return findTagFaults(root).findings.map(({ id, severity, file, line }) => [
    id,
    severity,
    file,
    line,
  ]);
}

const CHANGED = [["released-changed", "error", FILE, 1]];
const NOT_CHECKED = [["not-checked", "warning", "CHANGELOG.md", 5]];

test("an unreleased version may change", () => {
  git("init", "--quiet");
  commit();
  write(FILE, "{}\n");
  expect(findTagFaults(root)).toEqual({ checked: 0, findings: [] });
});

test("a released version never changes, whatever hashes or later releases say", () => {
  git("init", "--quiet");
  release("0.1.0");
  expect(findTagFaults(root)).toEqual({ checked: 1, findings: [] });
  write(FILE, "{}\n");
  write(SUMS, "2\n");
  expect(find()).toEqual(CHANGED);
  release("0.10.0");
  git("tag", "v0.2.0-of-others");
  write("CHANGELOG.md", "");
  expect(find()).toEqual(CHANGED);
  rmSync(join(root, "schema"), { recursive: true });
  expect(find()).toEqual(CHANGED);
});

test("a release without its tag is reported as unchecked: without git, and in a shallow clone", () => {
  write("CHANGELOG.md", "# Changelog\n\n## 0.2.0 (unreleased)\n\n## 0.1.0\n");
  expect(find()).toEqual(NOT_CHECKED);
  git("init", "--quiet");
  release("0.1.0");
  write("README.md", "");
  commit();
  const origin = root;
  root = mkdtempSync(join(tmpdir(), "rollout-wire-tags-"));
  git("clone", "--quiet", "--depth", "1", `file://${origin}`, ".");
  expect(find()).toEqual(NOT_CHECKED);
  git("fetch", "--quiet", "--depth", "1", "--tags");
  expect(findTagFaults(root)).toEqual({ checked: 1, findings: [] });
  rmSync(origin, { recursive: true });
});
