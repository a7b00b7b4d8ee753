import { type OutputChunk, rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";
import options from "../../scripts/bundle/program.js";
import { packagesOf } from "../base/page/bundle-page.js";

/** Modules at which the program starts, on the main thread and in workers. */
const MAIN = "src/cli/main.ts";
const STARTS = [MAIN, "src/rollouts/pipeline/worker.ts"];

/** Modules that each command loads dynamically. */
const COMMANDS = {
  help: ["src/cli/commands/index.ts"],
  validate: [
    "src/cli/commands/index.ts",
    "src/cli/commands/validate.ts",
    "src/rollouts/wire/validation/check-block.ts",
  ],
  configured: ["src/contract/drift/config.ts"],
  schema: ["src/cli/validate/own-schema.ts"],
  import: ["src/cli/commands/import.ts"],
  rank: ["src/cli/commands/rank.ts", "src/rollouts/pipeline/build-block.ts"],
  export: [
    "src/cli/commands/export.ts",
    "src/rollouts/pipeline/build-block.ts",
    "src/rollouts/pipeline/export-builder.ts",
  ],
  check: ["src/cli/commands/check.ts"],
};

/** The files of the program. */
let chunks: readonly OutputChunk[];

beforeAll(async () => {
  const bundle = await rolldown(options);
  const { output } = await bundle.generate(options.output);
  await bundle.close();
  chunks = output.filter((each) => each.type === "chunk");
});

/** The modules in a file. */
function modulesOf({ moduleIds }: OutputChunk): string[] {
  return moduleIds.map((id) => id.replace(`${options.cwd}/`, ""));
}

/** The files that a command loads: those of its modules, and all that they import statically. */
function findFiles(command: keyof typeof COMMANDS, starts = STARTS): OutputChunk[] {
  const loaded = new Set<OutputChunk>();
  for (const module of [...starts, ...COMMANDS[command]]) {
    const chunk = chunks.find((each) => modulesOf(each).includes(module));
    if (chunk === undefined) throw new Error(`the program does not hold ${module}`);
    loaded.add(chunk);
  }
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
  }
  return [...loaded];
}

function findLoaded(command: keyof typeof COMMANDS, starts?: string[]): string[] {
  return findFiles(command, starts).flatMap(modulesOf);
}

/** Names of the packages that a command loads. */
function findPackages(command: keyof typeof COMMANDS): Set<string> {
  const folders = packagesOf(findFiles(command, [MAIN]).flatMap(({ moduleIds }) => moduleIds));
  return new Set(folders.map((folder) => folder.replace(/.*node_modules\//, "")));
}

const VALIDATORS = "generated/typescript/validators.js";

test("--version and --help load no validator and no command", () => {
  const loaded = findLoaded("help", [MAIN]);
  expect(loaded).not.toContain(VALIDATORS);
  expect(loaded.filter((path) => path.startsWith("src/cli/commands/")).sort()).toEqual([
    "src/cli/commands/index.ts",
  ]);
  expect(findPackages("help")).toContain("commander");
  expect(findLoaded("validate")).toContain(VALIDATORS);
});

test("what reports a failure is loaded before anything else", () => {
  const main = chunks.filter((each) => modulesOf(each).includes(MAIN));
  const files = chunks.filter(({ fileName }) =>
    main.some(({ imports }) => imports.includes(fileName)),
  );
  const loaded = files.flatMap(modulesOf);
  expect(loaded).toContain("src/cli/failure.ts");
  expect(loaded).not.toContain("src/cli/run.ts");
});

test("validate of one file loads few files, and of the packages only small ones", () => {
  expect(findFiles("validate", [MAIN]).length).toBeLessThan(9);
  expect([...findPackages("validate")].sort()).toEqual([
    "@humanwhocodes/momoa",
    "@noble/hashes",
    "commander",
  ]);
  expect(findPackages("schema")).toContain("ajv");
});

const isTarget = (path: string): boolean => path.startsWith("src/rollouts/wire/export/targets/");

test.each(["validate", "import"] as const)("%s loads no export target", (command) => {
  const loaded = findLoaded(command);
  expect(loaded.length).toBeGreaterThan(40);
  expect(loaded.filter(isTarget)).toEqual([]);
});

test("validate loads nothing of the exporter", () => {
  const isExporter = (path: string): boolean => path.startsWith("src/rollouts/wire/export/");
  expect(findLoaded("validate").filter(isExporter)).toEqual([]);
  expect(findLoaded("rank").filter(isExporter)).not.toEqual([]);
});

test("validate loads a schema compiler only for --schema", () => {
  const isCompiler = (path: string): boolean => path.startsWith("src/contract/compat/");
  expect(findLoaded("validate").filter(isCompiler)).toEqual([]);
  expect(findLoaded("schema").filter(isCompiler)).not.toEqual([]);
});

test("validate reads configurations only where there is one", () => {
  const isRegistry = (path: string): boolean => path.startsWith("src/contract/drift/");
  expect(findLoaded("validate").filter(isRegistry)).toEqual([]);
  expect(findLoaded("configured").filter(isRegistry)).not.toEqual([]);
});

test("rank loads no list of export targets", () => {
  expect(findLoaded("rank")).not.toContain("src/rollouts/wire/export/targets/index.ts");
});

test("export loads its targets, so the tests above can fail", () => {
  expect(findLoaded("export").filter(isTarget)).not.toEqual([]);
});

test("check loads the conformance kit only when it runs", () => {
  const isKit = (path: string): boolean => path.startsWith("conformance/");
  expect(findLoaded("check").filter(isKit)).toEqual([]);
  expect(chunks.flatMap(modulesOf)).toContain("conformance/gate.ts");
});
