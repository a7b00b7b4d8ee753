import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { packageRoot } from "../package.js";
import type { PageAssets, PageProgram } from "./page.js";

/**
 * Bundles the program of a page into one script, with the licenses of the packages in it at its beginning. Only a checkout
 * can do this.
 */
export async function bundlePage({ module }: PageProgram): Promise<PageAssets> {
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
    banner: ({ moduleIds }) => printLicenses(root, moduleIds),
  });
  await bundle.close();
  const [{ code: script }] = output;
  return { script, styles: readFileSync(join(root, "src/base/page/app/page.css"), "utf8") };
}

function printLicenses(root: string, modules: readonly string[]): string {
  const names = modules.flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const texts = [...new Set(names)].sort().map((name) => printLicense(root, name));
  return `/*!\n${texts.join("\n").replaceAll("*/", "* /")}*/`;
}

/** The license of a package that is bundled. One that ships no text must have the license of this package. */
export function printLicense(root: string, name: string): string {
  const folder = join(root, "node_modules", name);
  const own = join(folder, "LICENSE");
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!existsSync(own) && license !== "Apache-2.0") throw new Error(`${name} has no LICENSE`);
  const text = readFileSync(existsSync(own) ? own : join(root, "LICENSE"), "utf8");
  return `# ${name}\n\n${text.trim()}\n`;
}
