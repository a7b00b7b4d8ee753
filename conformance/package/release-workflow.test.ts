import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/base/package.js";
import { at, readCommandLines } from "./testing/read-command-lines.js";

const FOLDER = ".github/workflows";
const read = (file: string): string => readFileSync(join(packageRoot(), file), "utf8");
const YAML = read(`${FOLDER}/release.yml`);

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const { jobs, permissions } = parse(YAML) as {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly permissions: unknown;
};

test("a tag releases; a run by hand rehearses unless it is told otherwise", () => {
  const { push, workflow_dispatch } = (parse(YAML) as { on: Readonly<Record<string, unknown>> }).on;
  expect(push).toEqual({ tags: ["v*"] });
  expect(at(workflow_dispatch, "inputs", "dry-run", "default")).toBe(true);
});

test("every command is npm's own, that of GitHub, or a script of package.json", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const commands = readCommandLines(YAML).map(({ script }) => script);
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    if (/^(npm ci|npm test|gh release create)\b/.test(command)) continue;
    const [, name = command] = /^npm run --silent ([\w:]+)(?: -- --dry-run)?$/.exec(command) ?? [];
    expect(Object.keys(scripts)).toContain(name);
  }
});

test("tests and the rehearsal come first, in a job that may not publish", () => {
  const commands = jobs.build?.steps.flatMap(({ run }) => run ?? []);
  expect(commands).toEqual(["npm ci", "npm test", "npm run --silent release:package -- --dry-run"]);
  expect([permissions, jobs.build?.permissions]).toEqual([{ contents: "read" }, undefined]);
  const order = Object.entries(jobs).map(([name, { needs }]) => [name, needs]);
  expect(order).toEqual([
    ["build", undefined],
    ["npm", "build"],
    ["pypi", "npm"],
    ["github", "pypi"],
  ]);
});

test("the jobs that publish have the identity that a trusted publisher needs, and no more", () => {
  expect(jobs.npm?.permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(jobs.pypi?.permissions).toEqual({ "id-token": "write" });
  expect(jobs.github?.permissions).toEqual({ contents: "write" });
});

test("all workflows use the same version of an action", () => {
  const files = [
    "action.yml",
    ...readdirSync(join(packageRoot(), FOLDER)).map((name) => `${FOLDER}/${name}`),
  ];
  const used = files.flatMap((file) => read(file).match(/(?<=uses: )\S+@\S+/g) ?? []);
  expect(used.length).toBeGreaterThan(10);
  const names = [...new Set(used)].map((action) => action.split("@")[0]);
  expect(names).toEqual([...new Set(names)]);
});
