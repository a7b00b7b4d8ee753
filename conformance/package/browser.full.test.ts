import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { type RollupLog, rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { rolloutTraceSchema } from "#generated/schemas.js";
import { toJsonl } from "../../src/base/json/print.js";
import { toDpoRecord } from "../../src/rollouts/wire/export/flat-records.js";
import { createBranch } from "../../src/rollouts/wire/export/testing/create-branch.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";

const branches = [
  createBranch(),
  createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" }),
];

let installed: InstalledPackage;

beforeAll(() => {
  installed = installPackage();
});

afterAll(() => installed.remove());

/** The script of a page that imports `code`, as text. */
async function bundleWithEsbuild(code: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: code, resolveDir: installed.folder },
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? "";
}

async function bundleWithRolldown(code: string): Promise<string> {
  const input = join(installed.folder, "page.js");
  writeFileSync(input, code);
  const logs: RollupLog[] = [];
  const bundle = await rolldown({ input, platform: "browser", onLog: (_, log) => logs.push(log) });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  expect(logs).toEqual([]);
  return output[0].code;
}

/** Runs a script with what every browser has, and nothing of Node. Returns what it gave to `show`. */
async function runInPage(script: string, given: object): Promise<unknown[]> {
  return await new Promise((resolve) => {
    runInNewContext(script, {
      ...{ Blob, DecompressionStream, ReadableStream, Response, TextDecoder, TextEncoder, URL },
      ...given,
      show: (...shown: unknown[]) => resolve(shown),
    });
  });
}

test("a page builds a record from branches that it checks, with at most 30 kB of script", async () => {
  const page = await bundleWithEsbuild(`
    import { isRolloutBranchRecord, toDpoRecord } from "rollout-wire";
    show(branches.every(isRolloutBranchRecord) ? toDpoRecord(branches, { exportedAtMs: 0 }) : null);
  `);
  expect(page.length).toBeLessThanOrEqual(30_000);
  const run = (given: readonly unknown[]) => runInPage(page, { branches: given });
  expect(await run(branches)).toEqual([toDpoRecord(branches, { exportedAtMs: 0 })]);
  expect(await run([{}])).toEqual([null]);
});

test("a page needs no more script than the constants that it uses", async () => {
  const page = await bundleWithEsbuild(`
    import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "rollout-wire/types";
    import { rolloutTraceSchema } from "rollout-wire/schema";
    show(ROLLOUT_BRANCH_SCHEMA_VERSION, rolloutTraceSchema.$id);
  `);
  expect(await runInPage(page, {})).toEqual([
    ROLLOUT_BRANCH_SCHEMA_VERSION,
    rolloutTraceSchema.$id,
  ]);
  expect(page.length).toBeLessThan(2 * JSON.stringify(rolloutTraceSchema).length);
});

/** Uses all of the root. */
const WHOLE = `
  import * as library from "rollout-wire";
  const load = async (input, options) => {
    try {
      return (await library.loadRollouts(input, options).toArray()).length;
    } catch (error) {
      return \`\${error.name} \${error.exitCode}: \${error.message}\`;
    }
  };
  (async () => {
    const errors = [];
    const loaded = await library.loadRollouts(new Blob([stored])).toArray();
    show(
      library.exportRollouts(loaded, { target: "trl", exportedAtMs: 0 }).dpo.length,
      await load(new Response(text)),
      await load(new Blob([text]).stream()),
      await load(new Blob([text, "{}"]), { onError: ({ line, column, message }) => errors.push([line, column, message]) }),
      errors,
      await load(new Blob([text, "NaN"])),
      await load(new Blob(["PAR1"])),
      await load("rollouts.jsonl"),
      await library.readEvalItems("eval.jsonl").catch(({ message }) => message),
      Object.keys(library).length,
    );
  })();
`;

test.each([
  ["esbuild", bundleWithEsbuild],
  ["rolldown", bundleWithRolldown],
])(
  "the whole root, bundled by %s without a warning, loads and exports in a page",
  async (_, bundle) => {
    const page = await bundle(WHOLE);
    expect(page).not.toMatch(/(?:from|import|require)[\s(]*["'`]node:/);
    const text = toJsonl(branches);
    const { length } = Object.keys(await import("../../src/index.js"));
    expect(await runInPage(page, { text, stored: gzipSync(text) })).toEqual([
      1,
      2,
      2,
      2,
      expect.arrayContaining([[3, 1, expect.stringContaining("rollout_id")]]),
      "UserError 1: <stream>:3:1 not JSON: unexpected NaN (json)",
      "UserError 3: a browser reads lines, plain or gzip, and no Parquet: convert it first",
      "UserError 3: a browser opens no files: give a Blob (such as a File), a Response or a stream instead of a path",
      "a browser opens no files: give validateG3 the items as objects",
      length,
    ]);
  },
);
