import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFaults } from "../../../src/base/testing/find-faults.js";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { type InstalledPackage, installPackage } from "../../package/testing/install-package.js";
import { runTool } from "../../package/testing/run-tool.js";

const REPO_ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HERE = join(REPO_ROOT, "conformance/interop/eliza");

const page = readFileSync(join(REPO_ROOT, "docs/eliza.md"), "utf8");
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
const [zeroConfig = ""] = blocks;

let installed: InstalledPackage;

beforeAll(() => {
  installed = installPackage();
  symlinkSync(join(HERE, "node_modules/@elizaos"), join(installed.folder, "node_modules/@elizaos"));
});

afterAll(() => installed.remove());

/** A separate project whose code is an unchanged block of the page. */
function createProject(name: string, code: string): string {
  const folder = join(installed.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "project.ts"), code);
  return folder;
}

function runProject(folder: string): string {
  const tsx = join(REPO_ROOT, "node_modules/tsx/dist/loader.mjs");
  return runTool(process.execPath, ["--import", tsx, join(HERE, "testing/run-project.ts")], folder);
}

function readRollouts(folder: string): Record<string, unknown>[] {
  return readdirSync(join(folder, "rollouts"))
    .filter((file) => /^rollouts-\d{4}-\d\d-\d\d\.jsonl$/.test(file))
    .flatMap((file) =>
      readFileSync(join(folder, "rollouts", file), "utf8")
        .trim()
        .split("\n"),
    )
    .map((line) => JSON.parse(line));
}

test("the installed, unchanged example writes valid records of an action and of a plain reply", () => {
  const folder = createProject("zero-config", zeroConfig);
  expect(JSON.parse(runProject(folder).split("\n").at(-1) ?? "")).toEqual(["four", "Hello."]);
  const records = readRollouts(folder);
  expect(records).toHaveLength(2);
  expect(records.flatMap((record) => findFaults(record, "RolloutBranch"))).toEqual([]);
  expect(records).toMatchObject([
    {
      task: "What is 2+2?",
      final_answer: "four",
      objective_status: "pass",
      tool_call_sequence: [{ event: "tool_call" }, { event: "tool_result" }],
      context: { messages: [], tools: [{ function: { name: "ADD", description: "Says four." } }] },
    },
    { task: "Hello?", final_answer: "Hello.", tool_call_sequence: [] },
  ]);
});

test.each(sampleCases(blocks.slice(1), 2))(
  "an agent with an example runs, gives the same answers and exits: %#",
  (code) => {
    const folder = createProject(`example-${blocks.indexOf(code)}`, code);
    expect(runProject(folder)).toContain('["four","Hello."]');
  },
);

/** The TypeScript errors of a project that is passed to elizaOS. */
function checkTypes(code: string): string {
  const folder = mkdtempSync(join(installed.folder, "types-"));
  writeFileSync(join(folder, "project.ts"), code);
  const use =
    'import type { Project } from "@elizaos/core";\nimport project from "./project.js";\n' +
    "const own: Project = project;\nexport default own;\n";
  writeFileSync(join(folder, "use.ts"), use);
  const flags = ["--strict", "--noEmit", "--target", "es2023", "--skipLibCheck", "true"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler"];
  const types = ["--types", "node", "--typeRoots", join(REPO_ROOT, "node_modules/@types")];
  const tsc = join(REPO_ROOT, "node_modules/.bin/tsc");
  return runTool(tsc, [...flags, ...modules, ...types, "use.ts"], folder);
}

test("every example type-checks as an elizaOS project", () => {
  expect(blocks).toHaveLength(2);
  for (const code of blocks) expect(checkTypes(code)).toBe("");
});

test("the type check rejects an invalid plugin, and an unknown option", () => {
  const plugin = '{ name: 7, description: "" }';
  const wrong = `export default { agents: [{ character: { name: "a", bio: "" }, plugins: [${plugin}] }] };`;
  expect(() => checkTypes(wrong)).toThrow(/'number' is not assignable to type 'string'/);
  const misspelt = zeroConfig.replace("()", "({ brances: 3 })");
  expect(() => checkTypes(misspelt)).toThrow(/'brances' does not exist/);
});
