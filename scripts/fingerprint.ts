import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { sha256 } from "../src/base/files/hash.js";
import { isJsonObject } from "../src/base/json/value.js";
import {
  FINGERPRINT_FILE,
  GENERATED_FOLDER,
  isFile,
  listFiles,
} from "../src/contract/codegen/files.js";
import { MODEL_RUNTIME, RUNTIME } from "../src/contract/codegen/python/runtime.js";
import { type GeneratedFile, readManifest } from "../src/contract/codegen/target.js";
import { REPO_ROOT } from "./run-script.js";

const SCHEMA_FOLDER = "schema";

/** What was checked by its hashes. */
export interface FreshFiles {
  readonly fileCount: number;
  readonly schemaCount: number;
}

/**
 * Counts the generated files of the checkout at `root` if the hashes of all that they are printed from, and their own,
 * are those that the last `npm run generate` recorded. Undefined otherwise: then only the generator can tell.
 *
 * Whoever edits the record can make it lie. `npm run generate -- --check` does not read it.
 */
export async function findFresh(root: string): Promise<FreshFiles | undefined> {
  const recorded = readFingerprint(root);
  if (recorded === undefined) return undefined;
  const generated = listFiles(root, GENERATED_FOLDER);
  // A link is no generated file, wherever it leads.
  if (generated.some((path) => !isFile(join(root, path)))) return undefined;
  if (hashFiles(root, generated) !== recorded.outputs) return undefined;
  if ((await hashInputs(root, [])) !== recorded.inputs) return undefined;
  const isSchema = (path: string): boolean => /^schema\/[^/]+\.schema\.json$/.test(path);
  return {
    fileCount: generated.length,
    schemaCount: listFiles(root, SCHEMA_FOLDER).filter(isSchema).length,
  };
}

/** The record for `files`, as printed from the checkout at `root` and before they are written. */
export async function printFingerprint(
  root: string,
  files: readonly GeneratedFile[],
): Promise<GeneratedFile> {
  const outputs = files.filter(({ path }) => path.startsWith(`${GENERATED_FOLDER}/`));
  const fingerprint = {
    inputs: await hashInputs(root, files),
    outputs: hashTexts(outputs),
  };
  return { path: FINGERPRINT_FILE, text: `${JSON.stringify(fingerprint, undefined, 2)}\n` };
}

function readFingerprint(root: string): { inputs: string; outputs: string } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, FINGERPRINT_FILE), "utf8"));
    if (!isJsonObject(value)) return undefined;
    const { inputs, outputs } = value;
    if (typeof inputs !== "string" || typeof outputs !== "string") return undefined;
    return { inputs, outputs };
  } catch {
    return undefined;
  }
}

/** The versions of the packages that the generator uses. */
const PACKAGES = "package-lock.json";

/** What the generator copies into its output. */
const COPIED = [RUNTIME, MODEL_RUNTIME];

/** The hash of all that generated code depends on. `printed` files of schema/ count as if they were written. */
async function hashInputs(root: string, printed: readonly GeneratedFile[]): Promise<string> {
  const schemas = new Map(
    listFiles(root, SCHEMA_FOLDER).map((path) => [path, readFileSync(join(root, path))] as const),
  );
  for (const { path, text } of printed) {
    if (path.startsWith(`${SCHEMA_FOLDER}/`)) schemas.set(path, Buffer.from(text));
  }
  // A copy of a part of the checkout may lack it.
  const files = [PACKAGES].filter((path) => isFile(join(REPO_ROOT, path)));
  files.push(...COPIED.flatMap((folder) => listFiles(REPO_ROOT, folder)));
  return hashTexts([
    ...[...schemas].map(([path, text]) => ({ path, text })),
    ...files.map((path) => ({ path, text: readFileSync(join(REPO_ROOT, path)) })),
    { path: "package.json", text: readManifest().version },
    { path: "the generator", text: await bundleGenerator() },
  ]);
}

let generator: Promise<string> | undefined;

/**
 * The generator's own code, without comments and without what it does not use, so that an edit elsewhere in a shared
 * module is no change of the generator. Packages are identified by package-lock.json.
 */
function bundleGenerator(): Promise<string> {
  generator ??= build({
    absWorkingDir: REPO_ROOT,
    entryPoints: ["src/contract/codegen/generate-files.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    external: ["#generated/*"],
    minifyWhitespace: true,
    logLevel: "silent",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return generator;
}

function hashFiles(root: string, paths: readonly string[]): string {
  return hashTexts(paths.map((path) => ({ path, text: readFileSync(join(root, path)) })));
}

/** One hash of files with their paths, whatever their order. */
function hashTexts(
  files: readonly { readonly path: string; readonly text: string | Uint8Array }[],
): string {
  const lines = files.map(({ path, text }) => `${path} ${sha256(text)}\n`);
  return sha256(lines.sort().join(""));
}
