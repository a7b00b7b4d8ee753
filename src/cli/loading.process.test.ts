import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { REPO_ROOT } from "../../scripts/run-script.js";

/** Entry points of the program and its threads. */
const MAIN = "src/cli/main.ts";
const STARTS = [MAIN, "src/rollouts/worker.ts"];

/** Modules that each command loads dynamically, on the main thread and in workers. */
const COMMANDS = {
  help: ["src/cli/run.ts"],
  validate: [
    "src/cli/commands/validate.ts",
    "src/cli/validate/configuration.ts",
    "src/validation/check-block.ts",
  ],
  schema: ["src/cli/validate/own-schema.ts"],
  import: ["src/cli/commands/import.ts"],
  rank: ["src/cli/commands/rank.ts", "src/rollouts/build-block.ts"],
  export: [
    "src/cli/commands/export.ts",
    "src/rollouts/build-block.ts",
    "src/rollouts/export-builder.ts",
  ],
  check: ["src/cli/commands/check.ts"],
};

let inputs: Metafile["inputs"];

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: REPO_ROOT,
    entryPoints: STARTS,
    outdir: "none",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  inputs = metafile.inputs;
});

/** The modules that a command loads: all that its entry points import statically. */
function findLoaded(command: keyof typeof COMMANDS, starts = STARTS): string[] {
  const loaded = new Set([...starts, ...COMMANDS[command]]);
  for (const path of loaded) {
    const input = inputs[path];
    if (input === undefined) throw new Error(`the program does not hold ${path}`);
    for (const { kind, external, path: imported } of input.imports) {
      if (kind === "import-statement" && external !== true) loaded.add(imported);
    }
  }
  return [...loaded];
}

/** The packages that these modules import when they are loaded. */
function findPackages(loaded: readonly string[]): string[] {
  const imports = loaded.flatMap((path) => inputs[path]?.imports ?? []);
  const packages = imports.filter(
    ({ kind, external, path }) =>
      kind === "import-statement" && external === true && !path.startsWith("node:"),
  );
  return [...new Set(packages.map(({ path }) => path))].sort();
}

const VALIDATORS = "generated/typescript/validators.js";

test("--version and --help load no validator and no command", () => {
  const loaded = findLoaded("help", [MAIN]);
  expect(loaded).not.toContain(VALIDATORS);
  expect(loaded.filter((path) => path.startsWith("src/cli/commands/"))).toEqual([
    "src/cli/commands/index.ts",
    "src/cli/commands/outlines.ts",
  ]);
  expect(findPackages(loaded)).toEqual(["commander"]);
  expect(findLoaded("validate")).toContain(VALIDATORS);
});

test("validate of one file loads no search for files, no threads and no progress bar", () => {
  const packages = findPackages(findLoaded("validate", [MAIN]));
  expect(packages).toContain("commander");
  expect(packages).not.toContain("tinyglobby");
  expect(packages).not.toContain("tinypool");
  expect(packages).not.toContain("cli-progress");
});

const isTarget = (path: string): boolean => path.startsWith("src/export/targets/");

test.each(["validate", "import"] as const)("%s loads no export target", (command) => {
  const loaded = findLoaded(command);
  expect(loaded.length).toBeGreaterThan(40);
  expect(loaded.filter(isTarget)).toEqual([]);
});

test("validate loads only two parts of the exporter: the conversation and the task hash", () => {
  const exporter = findLoaded("validate").filter((path) => path.startsWith("src/export/"));
  expect(exporter).not.toEqual([]);
  const isShared = (path: string): boolean =>
    path.startsWith("src/export/conversation/") ||
    ["src/export/task-hash.ts", "src/export/sha256-hex.ts"].includes(path);
  expect(exporter.filter((path) => !isShared(path))).toEqual([]);
});

test("validate loads a schema compiler only for --schema", () => {
  const isCompiler = (path: string): boolean => path.startsWith("src/compat/");
  expect(findLoaded("validate").filter(isCompiler)).toEqual([]);
  expect(findLoaded("schema").filter(isCompiler)).not.toEqual([]);
});

test("rank loads no list of export targets", () => {
  expect(findLoaded("rank")).not.toContain("src/export/targets/index.ts");
});

test("export loads its targets, so the tests above can fail", () => {
  expect(findLoaded("export").filter(isTarget)).not.toEqual([]);
});

test("check loads the conformance kit only when it runs", () => {
  const conformance = findLoaded("check").filter((path) => path.startsWith("conformance/"));
  expect(conformance).toEqual([]);
  expect(Object.keys(inputs)).toContain("conformance/gate.ts");
});
