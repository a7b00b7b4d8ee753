import { readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { configDefaults, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import {
  DEV_TOOLS,
  INTEROP,
  type PythonEnvironment,
  SPARK,
  STORES,
} from "../conformance/python-env.js";
import { buildProgram } from "../src/base/testing/build-program.js";
import { REPO_ROOT } from "./run-script.js";

/** For every run but the nightly one, so that none fails by chance. */
export const FIXED_SEED = ["scripts/testing/fixed-seed.ts"];

const FOLDERS = ["src", "conformance", "schema", "scripts", "examples"];

/** Only to stop a hang; no test depends on timing. */
const TIMEOUT = 600_000;

/** Patterns for the test files of a kind, such as `*.full.test.ts`. */
export function testsNamed(ending: string): string[] {
  return FOLDERS.map((folder) => `${folder}/**/*${ending}`);
}

/** The test files that contain a text, as paths from the repository's root. */
export function testsWith(pattern: RegExp): string[] {
  return listTests().filter((path) => pattern.test(readFileSync(join(REPO_ROOT, path), "utf8")));
}

/** All test files, as paths from the repository's root. */
export function listTests(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(REPO_ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
      .map((path) => `${folder}/${path}`),
  );
}

/** Tests with the code of others, whose packages each project installs before its first test. */
const INTEROP_PROJECTS: readonly {
  readonly name: string;
  readonly folder: string;
  readonly python?: PythonEnvironment;
  readonly env?: Readonly<Record<string, string>>;
}[] = [
  {
    name: "trainers",
    folder: "conformance/interop",
    python: INTEROP,
    env: { HF_HUB_OFFLINE: "1" },
  },
  { name: "spark", folder: "conformance/interop/spark", python: SPARK },
  { name: "stores", folder: "conformance/interop/stores", python: STORES },
  { name: "eliza", folder: "conformance/interop/eliza" },
  { name: "runtimes", folder: "conformance/interop/runtimes" },
];

/** The projects of a run of long tests: `name` for those of this repository alone, and one for each list of packages. */
export function defineLongTests(
  isIncluded: (path: string) => boolean,
  { name, setupFiles = [], env }: ProjectOptions & { readonly setupFiles?: string[] },
): TestProjectInlineConfiguration[] {
  const tests = listTests().filter(isIncluded);
  const isOf = (folder: string) => (path: string) => dirname(path) === folder;
  const own = tests.filter((path) => !INTEROP_PROJECTS.some(({ folder }) => isOf(folder)(path)));
  return [
    defineTests({ name, include: own, setupFiles, env: { ...env } }),
    ...INTEROP_PROJECTS.map(({ name, folder, python, env: ofProject }) =>
      defineTests(
        {
          name,
          include: tests.filter(isOf(folder)),
          setupFiles: [...setupFiles, "scripts/testing/own-packages.ts"],
          provide: { project: name },
          env: { ...ofProject, ...env },
        },
        python,
      ),
    ),
  ];
}

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]> & { name: string };

/** A project whose `python3` is that of a virtual environment. */
export function defineTests(
  { env, exclude = [], ...options }: ProjectOptions,
  python: PythonEnvironment = DEV_TOOLS,
): TestProjectInlineConfiguration {
  const path = [join(REPO_ROOT, python.folder, "bin"), process.env.PATH].join(delimiter);
  return {
    test: {
      exclude: [...configDefaults.exclude, ...exclude],
      globalSetup: ["scripts/vitest-setup.ts"],
      testTimeout: TIMEOUT,
      hookTimeout: TIMEOUT,
      // By default a second.
      expect: { poll: { timeout: 0.8 * TIMEOUT } },
      env: { PATH: path, ...env },
      ...options,
    },
  };
}

/** The modules that start threads, and how they name the modules of these. */
const STARTERS = ["src/rollouts/pipeline/workers.ts", "src/base/parquet/decoder.ts"];
const THREAD = /new URL\(`\.\/\/([\w-]+)\$\{extname\(import\.meta\.url\)\}`, import\.meta\.url\)/;

/** Threads run the bundled program: to compile its sources takes each of them several times as long. */
export const bundledThreads: Plugin = {
  name: "bundled-threads",
  enforce: "pre",
  transform(code, id) {
    if (!STARTERS.some((file) => id === join(REPO_ROOT, file))) return undefined;
    const [text, thread] = THREAD.exec(code) ?? [];
    if (text === undefined) throw new Error(`${id} names its threads in another way by now`);
    const path = join(dirname(buildProgram().main), `${thread}.js`);
    const url = JSON.stringify(pathToFileURL(path).href);
    // What moves results to a thread must be the copy that the thread has.
    return code.replace(text, `new URL(${url})`).replace('import("tinypool")', `import(${url})`);
  },
};
