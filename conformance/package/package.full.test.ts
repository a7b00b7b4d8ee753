import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import type { ContractIndex } from "../../src/contract/pages/contract-data.js";
import { listArtefacts } from "../../src/contract/schemas/artefacts.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { unpackIndex } from "../../src/rollouts/look/report/testing/unpack-page.js";
import { addUpcaster, NEW_ORDER, OLD_ORDER } from "./testing/add-upcaster.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { readCodeBlocks } from "./testing/read-command-lines.js";
import { runTool } from "./testing/run-tool.js";

const REPO_ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(REPO_ROOT, "node_modules/.bin");

/** The code of a producer: types, a guard, all errors, the exporter, and the plugin. */
const CONSUMER = `
import {
  type DpoRecord, exportRollouts, type Finding, findErrors, isDpoRecord, loadRollouts, type Open, type RolloutBranch,
  type RolloutBranchRecord, toDpoRecord,
} from "rollout-wire";
import { type CapturedBranch, forkRollout } from "rollout-wire/capture";
import { schemaHashes } from "rollout-wire/conformance";
import { createDelivery, type Sink } from "rollout-wire/delivery";
import { createRolloutPlugin, type RolloutPluginOptions } from "rollout-wire/eliza";
import { type PairSelection, selectPair } from "rollout-wire/export";
import { type Redact, redactSecrets } from "rollout-wire/redact";
import type { ExportReport } from "rollout-wire/reports";
import schema from "rollout-wire/schema/rollout-wire.schema.json" with { type: "json" };

const branch = (branch_index: number, final_answer: string): RolloutBranchRecord => ({
  rollout_id: "r1",
  task: "What is 2+2?",
  branch_index,
  temperature: 0,
  session_id: "",
  tool_call_sequence: [{ event: "tool_result", data: { output: "4" } }],
  final_answer,
  objective_score: branch_index === 0 ? 1 : 0,
  rank: branch_index + 1,
  total_score: 1 - branch_index,
});

const record: DpoRecord | null = toDpoRecord([branch(0, "four"), branch(1, "five")], { exportedAtMs: 0 });
if (!isDpoRecord(record)) throw new Error("no pair");
const [error] = findErrors("DpoRecord", { ...record, chosen: "" });
// @ts-expect-error: provenance is closed, and its source a constant
const wrong: DpoRecord["provenance"]["source"] = "elsewhere";
// @ts-expect-error: a mistyped field
const mistyped = branch(0, "four").total_scor;
const open: Open<RolloutBranchRecord> = { ...branch(0, "four"), judge_model: "m" };
const options: RolloutPluginOptions = { sink: { type: "console" }, includeActions: ["ADD"] };
const errors: Finding[] = [];
const ranked: Open<RolloutBranchRecord>[] = await loadRollouts(new Blob([JSON.stringify(branch(0, "four"))])).toArray();
const captured: Open<RolloutBranch>[] = [];
for await (const each of loadRollouts(new Blob([]), { ranked: false, onError: (error) => errors.push(error) }))
  captured.push(each);
// @ts-expect-error: unranked branches are not exported
exportRollouts(captured, { target: "trl" });
const prompt: string | undefined = exportRollouts(ranked, { target: "wire" }).ppo[0]?.prompt;
const used: [CapturedBranch?, Sink?, PairSelection?, Redact?, ExportReport?] = [];
console.log(JSON.stringify([
  prompt, errors.length, used.length, [forkRollout, createDelivery, redactSecrets, selectPair].length,
  record.provenance.n_gram_hash, error?.pointer, error?.keyword, schema.$id, typeof schemaHashes, wrong,
  mistyped ?? open.judge_model,
  createRolloutPlugin(options).name,
]));
`;

/** A schema of anybody, and how its code is imported. */
const TASK = {
  title: "Task",
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
};
const IMPORTS = `import { isTask, type Task } from "./generated/typescript/index.js";
if (isTask(value)) use(value);
from generated.python.task import Task; Task.from_json(line)
`;

const EXPECTED = JSON.stringify([
  "What is 2+2?",
  0,
  0,
  4,
  "52cb6b5e4a038af1",
  "/chosen",
  "minLength",
  "urn:rollout-wire:rollout-wire:v1",
  "function",
  "elsewhere",
  "m",
  "rollout-wire",
]);

let installed: InstalledPackage;
let folder = "";
let tarball = "";
let examples: readonly string[] = [];

beforeAll(() => {
  installed = installPackage();
  ({ folder, tarball } = installed);
  writeFileSync(join(folder, "main.ts"), CONSUMER);
  const page = readFileSync(join(REPO_ROOT, "docs/library.md"), "utf8");
  examples = readCodeBlocks(page, "ts").map((code, index) => {
    writeFileSync(join(folder, `example-${index}.ts`), code);
    return `example-${index}.ts`;
  });
});

afterAll(() => installed.remove());

test.each(["nodenext", "bundler"])(
  "a consumer and the examples of docs/library.md type-check under %s resolution",
  (resolution) => {
    const module = resolution === "nodenext" ? "nodenext" : "esnext";
    const flags = [
      "--strict",
      "--target",
      "es2023",
      "--resolveJsonModule",
      "--skipLibCheck",
      "false",
    ];
    const types = ["--types", "node", "--typeRoots", join(REPO_ROOT, "node_modules/@types")];
    const modes = ["--module", module, "--moduleResolution", resolution];
    const output = runTool(
      join(BIN, "tsc"),
      ["--noEmit", ...flags, ...types, ...modes, "main.ts", ...examples],
      folder,
    );
    expect(examples.length).toBeGreaterThan(5);
    expect(output).toBe("");
  },
);

test("the installed program upgrades records with the compiled upcasters", () => {
  const registry = join(folder, "node_modules/rollout-wire/schema/registry.json");
  const before = readFileSync(registry);
  addUpcaster(join(folder, "node_modules/rollout-wire"));
  writeFileSync(join(folder, "old.jsonl"), toJsonl([OLD_ORDER]));
  const argv = ["migrate", "--to", "order/v2", "old.jsonl", "--in-place"];
  runTool(join(folder, "node_modules/.bin/rollout-wire"), argv, folder);
  expect(readFileSync(join(folder, "old.jsonl"), "utf8")).toBe(toJsonl([NEW_ORDER]));
  writeFileSync(registry, before);
});

test("the installed program writes the contract, without fixtures as examples", () => {
  const argv = ["report", "contract", "--output", "contract.html"];
  runTool(join(folder, "node_modules/.bin/rollout-wire"), argv, folder);
  const html = readFileSync(join(folder, "contract.html"), "utf8");
  const { schemas, comparisons } = unpackIndex<ContractIndex>(html);
  expect(schemas.map(({ name }) => name)).toEqual(
    readRegistry(REPO_ROOT).schemas.map(({ name }) => name),
  );
  expect(comparisons.length).toBeGreaterThan(schemas.length);
  const types = schemas.flatMap((schema) => schema.types);
  expect(types.filter(({ exampleCount }) => exampleCount > 0)).toEqual([]);
  expect(html).toContain("Copyright (c) 2015-present Jason Miller");
});

test("CommonJS requires every module of the package", () => {
  const { exports } = JSON.parse(
    readFileSync(join(folder, "node_modules/rollout-wire/package.json"), "utf8"),
  );
  const modules = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  expect(modules).toHaveLength(11);
  const names = modules.map((path) => path.replace(".", "rollout-wire"));
  writeFileSync(
    join(folder, "require.cjs"),
    `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(require(name)).length > 0);\n`,
  );
  const output = runTool(process.execPath, ["require.cjs"], folder);
  // Reports have only types.
  const lines = names.map((name) => `${name} ${name !== "rollout-wire/reports"}\n`);
  expect(output).toBe(lines.join(""));
});

test("a consumer runs on plain Node, without code generation from strings or a schema compiler", () => {
  runTool(
    join(BIN, "tsc"),
    [
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--resolveJsonModule",
      "--outDir",
      "out",
      "--rootDir",
      ".",
      "--types",
      "node",
      "--typeRoots",
      join(REPO_ROOT, "node_modules/@types"),
      "main.ts",
    ],
    folder,
  );
  // Only `check` compiles schemas; importing the package does not.
  const flag = "--disallow-code-generation-from-strings";
  expect(runTool(process.execPath, [flag, "--no-warnings", "out/main.js"], folder)).toBe(
    `${EXPECTED}\n`,
  );
});

test("a bundler can bundle the package", async () => {
  mkdirSync(join(folder, "bundle"));
  const outfile = join(folder, "bundle/main.js");
  await build({
    entryPoints: [join(folder, "main.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "silent",
  });
  expect(runTool(process.execPath, [outfile], folder)).toBe(`${EXPECTED}\n`);
});

test("publint and attw find nothing", () => {
  expect(runTool(join(BIN, "publint"), ["run", tarball, "--strict"], REPO_ROOT)).toContain(
    "All good!",
  );
  const attw = runTool(
    join(BIN, "attw"),
    [tarball, "--profile", "esm-only", "--format", "ascii"],
    REPO_ROOT,
  );
  expect(attw.match(/bundler: 🟢/g)).toHaveLength(12);
  expect(attw.match(/node16 \(from ESM\): 🟢/g)).toHaveLength(12);
});

test("the package has everything it needs, and nothing that a tool left behind", () => {
  const files = runTool("tar", ["-tzf", tarball], REPO_ROOT).trim().split("\n");
  expect(
    files.filter((file) => /__pycache__|\.pyc$|egg-info|\.test\.|\/testing\//.test(file)),
  ).toEqual([]);
  for (const file of [
    "LICENSE",
    "schema/registry.json",
    "generated/python/rollout_wire/py.typed",
    "src/base/words.js",
    "src/contract/codegen/python/runtime/_values.py",
    "src/contract/codegen/typescript/runtime/faults.js",
  ]) {
    expect(files).toContain(`package/${file}`);
  }
});

test("the package has every file that repositories copy", () => {
  const root = join(folder, "node_modules/rollout-wire");
  const { artefacts = [], schemas } = readRegistry(REPO_ROOT);
  const sources = [
    ...artefacts.map(({ source }) => source),
    ...schemas.flatMap(({ file, released }) => [file, ...released]),
  ];
  expect(artefacts.length).toBeGreaterThan(3);
  for (const source of sources) {
    const all = { kind: "generated", schema: "", version: "", source, path: "" } as const;
    const listed = listArtefacts(REPO_ROOT, all);
    expect(listed.length, source).toBeGreaterThan(0);
    expect(listArtefacts(root, all)).toEqual(listed);
  }
});

test("an installation brings no other package", () => {
  const { packages } = JSON.parse(
    readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"),
  );
  expect(Object.keys(packages)).toEqual(["node_modules/rollout-wire"]);
});

test("the package takes at most 8 MB, and no formatter", () => {
  const root = join(folder, "node_modules/rollout-wire");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => join(root, file))
    .filter((file) => statSync(file).isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(files.length).toBeGreaterThan(300);
  expect(bytes).toBeLessThan(8_000_000);
});

test("the installed program generates code in an empty folder, which Python and TypeScript take", () => {
  const cwd = join(folder, "generating");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "task.schema.json"), JSON.stringify(TASK));
  const command = join(folder, "node_modules/.bin/rollout-wire");
  const printed = runTool(command, ["generate", "task.schema.json"], cwd);
  expect(printed).toContain(IMPORTS);
  const valid = '{"name": "a", "tags": ["x"]}';
  const python = `from generated.python.task import Task; print(Task.from_json('${valid}').tags)`;
  expect(runTool("python3", ["-c", python], cwd)).toBe("('x',)\n");
  const [typed = ""] = IMPORTS.split("\n");
  const program = `${typed}
const task: unknown = JSON.parse('${valid}');
if (isTask(task)) { const tags: string[] | undefined = (task satisfies Task).tags; console.log(tags, isTask({})); }`;
  writeFileSync(join(cwd, "main.mts"), program);
  for (const modes of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]]) {
    const flags = ["--strict", "--target", "es2023", "--module", ...modes];
    expect(runTool(join(BIN, "tsc"), [...flags, "main.mts"], cwd)).toBe("");
  }
  expect(runTool(process.execPath, ["main.mjs"], cwd)).toBe("[ 'x' ] false\n");
});

test("the license of every package in its files is in one file", () => {
  const dist = join(folder, "node_modules/rollout-wire/dist");
  const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(join(dist, file), "utf8"));
  const bundled = scripts.flatMap((text) => [
    // The bundler names each module.
    ...text.matchAll(/^\/\/ \S*node_modules\/((?:@[^/]+\/)?[^/]+)\/\S+\.[cm]?js(?:on)?$/gm),
    // At the beginning of a file of the program, and of a page, which are minified.
    ...(/^\/\*! Holds (.*?): see/m.exec(text)?.[1] ?? "").split(", ").map((name) => [text, name]),
    ...(text.startsWith("/*!") ? text.matchAll(/^# (\S+) \d/gm) : []),
  ]);
  const named = new Set(bundled.map(([, name = ""]) => name).filter((name) => name !== ""));
  expect([...named]).toEqual(
    expect.arrayContaining(["ajv", "commander", "preact", "quicktype-core", "tinypool"]),
  );
  const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
  const listed = [...licenses.matchAll(/^# (\S+) \d\S+ \(/gm)].map(([, name]) => name);
  expect([...named].filter((name) => !listed.includes(name))).toEqual([]);
  expect(licenses).toContain("Permission is hereby granted");
  expect(licenses).toContain("\n# Rust crates in parquet-wasm ");
});

test("npm runs no script of the package, and warns of none", () => {
  const { scripts } = JSON.parse(
    readFileSync(join(folder, "node_modules/rollout-wire/package.json"), "utf8"),
  );
  const atInstall = ["preinstall", "install", "postinstall", "prepare"];
  expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([]);
  expect(installed.printed).toContain("added");
  expect(installed.printed).not.toMatch(/rollout-wire@|install-scripts/);
});

/** Runs a line of a shell that fails with advice, and the advice. `expected`: how it starts the program. */
function expectRepeated(start: string, expected: string, options: RepeatOptions = {}): void {
  const { cwd = folder, path = "", cache } = options;
  // Without those of the npm that may have started this test.
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const env = {
    ...Object.fromEntries(outer),
    PATH: `${path}:${process.env.PATH}`,
    ...(cache === undefined ? { npm_config_offline: "true" } : { npm_config_cache: cache }),
  };
  const shell = (line: string) => spawnSync("bash", ["-c", line], { cwd, encoding: "utf8", env });
  const { status, stderr } = shell(`${start} nonsense`);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`Help:  ${expected} --help\n`)]);
  const stdout = expect.stringContaining(`${expected} export`);
  expect(shell(`${expected} --help`)).toMatchObject({ status: 0, stdout });
}

interface RepeatOptions {
  readonly cwd?: string;
  /** A folder that comes first on the PATH. */
  readonly path?: string;
  /** Where npm keeps what it fetches. */
  readonly cache?: string;
}

test.each(["npx rollout-wire", "npx --no rollout-wire", "./node_modules/.bin/rollout-wire"])(
  "what `%s` advises to run starts with npx, and runs",
  (start) => expectRepeated(start, "npx --no-install rollout-wire"),
);

test("what a script of package.json advises to run, runs", () => {
  const cwd = join(folder, "scripted");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), '{"scripts": {"wire": "rollout-wire"}}');
  expectRepeated("npm run --silent wire --", "npx --no-install rollout-wire", { cwd });
});

test("what the program on the PATH, or its file, advises to run, runs", () => {
  const program = join(folder, "node_modules/rollout-wire/dist/bin/main.js");
  const path = join(folder, "path");
  mkdirSync(path);
  symlinkSync(program, join(path, "rollout-wire"));
  expectRepeated("rollout-wire", "rollout-wire", { path });
  expectRepeated(`node ${program}`, `node ${program}`);
});

test("what a package that npx fetched advises to run, runs", () => {
  const cwd = join(folder, "../fetched");
  mkdirSync(cwd);
  cpSync(tarball, join(cwd, "wire.tgz"));
  const start = "npx --yes --package ./wire.tgz rollout-wire";
  expectRepeated(start, start, { cwd, cache: join(cwd, "cache") });
});

test("the command is installed", () => {
  const command = join(folder, "node_modules/.bin/rollout-wire");
  expect(runTool(command, ["--version"], folder)).toMatch(/^\d+\.\d+\.\d+\n$/);
});
