import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { packageRoot } from "../package.js";
import type { PageAssets, PageProgram } from "./page.js";

/** A page, and the folders of the packages that its script holds. */
interface BundledPage extends PageAssets {
  readonly packages: readonly string[];
}

/**
 * Bundles the program of a page into one script, with the licenses of the packages in it at its beginning. Only a checkout
 * can do this.
 */
export async function bundlePage({ module }: PageProgram): Promise<BundledPage> {
  const root = packageRoot();
  const bundle = await rolldown({
    cwd: root,
    input: join(root, module),
    platform: "browser",
    tsconfig: join(root, "tsconfig.pages.json"),
  });
  const { output } = await bundle.generate({
    format: "iife",
    minify: true,
    banner: ({ moduleIds }) =>
      `/*!\n${printLicenses(packagesOf(moduleIds)).replaceAll("*/", "* /")}*/`,
  });
  await bundle.close();
  const [{ code: script, moduleIds }] = output;
  const styles = readFileSync(join(root, "src/base/page/app/page.css"), "utf8");
  return { script, styles, packages: packagesOf(moduleIds) };
}

/** The folders of the packages of modules that a bundler names by their paths: sorted, each once. */
export function packagesOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap(
    (path) => /^[^\0]*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/**
 * The licenses of the packages in some folders, with their notices. Throws Error for a package that ships no text, unless
 * it has the license of this one, whose text is the same for all.
 */
export function printLicenses(folders: readonly string[]): string {
  return folders.map(printLicense).join("\n");
}

function printLicense(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)(?![a-z])/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (!files.some((file) => /^l/i.test(file))) {
    if (license !== "Apache-2.0") throw new Error(`${name} has no LICENSE`);
    texts.unshift(readFileSync(join(packageRoot(), "LICENSE"), "utf8").trim());
  }
  return `# ${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
