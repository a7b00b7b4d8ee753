import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type RolldownOptions, rolldown } from "rolldown";
import { packageVersion } from "../src/base/package.js";
import { bundlePage, packagesOf, printLicenses } from "../src/base/page/bundle-page.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import { loadCommands } from "../src/cli/commands/index.js";
import { printManPage } from "../src/cli/man-page.js";
import { findSourceCommit, PACKED_SOURCE } from "../src/contract/drift/sync/lock.js";
import { CONTRACT_PAGE } from "../src/contract/pages/write-contract.js";
import { listArtefacts } from "../src/contract/schemas/artefacts.js";
import { readRegistry } from "../src/contract/schemas/registry.js";
import { ROLLOUTS_PAGE } from "../src/rollouts/look/report/render-report.js";
import { browserLibrary, library } from "./bundle/library.js";
import program from "./bundle/program.js";
import { createScript, runAsProgram } from "./run-script.js";

/** The licenses of the crates in the WebAssembly of parquet-wasm. A test holds them to its version. */
const CRATES = join(import.meta.dirname, "bundle/parquet-wasm-licenses.txt");

/** The licenses of all packages in `dist`. */
const LICENSES = "THIRD-PARTY-LICENSES.txt";

/** Quality of Brotli: the best takes ten seconds, which tests would spend on every run. */
const [QUICK, BEST] = [5, constants.BROTLI_MAX_QUALITY];

/** Named in package.json, so that npm installs it. */
const MAN_PAGE = "man/rollout-wire.1";

export const run = createScript(
  {
    name: "build",
    summary: "Builds what is published besides generated code and schemas, in dist.",
    options: [["--program <folder>", "only the program, in another folder than dist"]],
  },
  async ({ program: folder }, { root }) => {
    if (folder !== undefined) {
      await writeBundles(String(folder), { bin: program }, QUICK);
      return EXIT.ok;
    }
    const dist = join(root, "dist");
    rmSync(dist, { recursive: true, force: true });
    writeDeclarations(root);
    await writeBundles(dist, { "": library, browser: browserLibrary, bin: program }, BEST);
    mkdirSync(join(dist, "man"));
    writeFileSync(join(dist, MAN_PAGE), printManPage(await loadCommands(), packageVersion()));
    writeSource(root);
    return EXIT.ok;
  },
);

/** Writes the declarations of the library. Throws UserError (exit 1) if the sources do not compile. */
export function writeDeclarations(root: string): void {
  const tsc = join(root, "node_modules/.bin/tsc");
  const { status, error } = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root });
  if (error !== undefined) throw error;
  if (status !== 0) {
    throw new UserError("the library does not compile: see npm run typecheck", EXIT.findings);
  }
}

/** Writes bundles into their folders, the decoder and the pages of the program, and the licenses of all packages in them. */
async function writeBundles(
  dist: string,
  bundles: Readonly<Record<string, RolldownOptions>>,
  quality: number,
): Promise<void> {
  const packages: string[] = [];
  for (const [folder, options] of Object.entries(bundles)) {
    const bundle = await rolldown(options);
    const { output } = await bundle.write({ ...options.output, dir: join(dist, folder) });
    await bundle.close();
    packages.push(
      ...packagesOf(output.flatMap((file) => ("moduleIds" in file ? file.moduleIds : []))),
    );
  }
  const wasm = "parquet_wasm_bg.wasm";
  const decoder = createRequire(import.meta.url).resolve(`parquet-wasm/esm/${wasm}`);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  writeFileSync(
    join(dist, `bin/${wasm}.br`),
    brotliCompressSync(readFileSync(decoder), { params }),
  );
  const pages = join(dist, "bin/pages");
  mkdirSync(pages, { recursive: true });
  for (const page of [ROLLOUTS_PAGE, CONTRACT_PAGE]) {
    const { script, styles, packages: inPage } = await bundlePage(page);
    writeFileSync(join(pages, `${page.name}.js`), script);
    writeFileSync(join(pages, `${page.name}.css`), styles);
    packages.push(...inPage);
  }
  const licenses = printLicenses([...new Set(packages)].sort());
  writeFileSync(join(dist, LICENSES), `${licenses}\n${readFileSync(CRATES, "utf8")}`);
}

/**
 * Writes the commit of the package, with which `sync` knows that of the copies. There is none if any file that may be copied
 * is not committed.
 */
export function writeSource(root: string): void {
  const { artefacts = [] } = readRegistry(root);
  // Each file by itself: a folder may hold what git ignores.
  const files = artefacts.flatMap((each) =>
    listArtefacts(root, { ...each, path: "", version: "" }),
  );
  const sources = ["schema", ...files.map(({ source }) => source)];
  // Without git, that of an earlier build would be found.
  rmSync(join(root, PACKED_SOURCE), { force: true });
  const commit = findSourceCommit(root, sources);
  writeFileSync(join(root, PACKED_SOURCE), `${JSON.stringify({ commit })}\n`);
}

await runAsProgram(import.meta.url, run);
