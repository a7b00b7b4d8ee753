import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { REPO_ROOT } from "../../scripts/run-script.js";

/** Where the program and its threads start. */
const STARTS = ["src/cli/main.ts", "src/rollouts/worker.ts"];

/** What each command loads dynamically, on the calling thread and in workers. */
const COMMANDS = {
  validate: ["src/cli/commands/validate.ts", "src/validation/check-block.ts"],
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

/** The modules that a command loads: what is reached from its entries by static imports. */
function findLoaded(command: keyof typeof COMMANDS): string[] {
  const loaded = new Set([...STARTS, ...COMMANDS[command]]);
  for (const path of loaded) {
    const input = inputs[path];
    if (input === undefined) throw new Error(`the program does not hold ${path}`);
    for (const { kind, external, path: imported } of input.imports) {
      if (kind === "import-statement" && external !== true) loaded.add(imported);
    }
  }
  return [...loaded];
}

const isTarget = (path: string): boolean => path.startsWith("src/export/targets/");

test.each(["validate", "import"] as const)("%s loads no export target", (command) => {
  const loaded = findLoaded(command);
  expect(loaded.length).toBeGreaterThan(40);
  expect(loaded.filter(isTarget)).toEqual([]);
});

test("of the exporter, validate loads only the conversation of a branch and the hash of a task", () => {
  const exporter = findLoaded("validate").filter((path) => path.startsWith("src/export/"));
  expect(exporter).not.toEqual([]);
  const isShared = (path: string): boolean =>
    path.startsWith("src/export/conversation/") || path === "src/export/task-hash.ts";
  expect(exporter.filter((path) => !isShared(path))).toEqual([]);
});

test("rank loads no list of export targets", () => {
  expect(findLoaded("rank")).not.toContain("src/export/targets/index.ts");
});

test("export loads its targets: the tests above can fail", () => {
  expect(findLoaded("export").filter(isTarget)).not.toEqual([]);
});

test("check loads the conformance kit only when it runs", () => {
  const conformance = findLoaded("check").filter((path) => path.startsWith("conformance/"));
  expect(conformance).toEqual([]);
  expect(Object.keys(inputs)).toContain("conformance/gate.ts");
});
