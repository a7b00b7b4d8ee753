import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { packageRoot } from "../package.js";
import type { PageAssets, PageName } from "./page.js";

/** Packages that are part of a page, which must hold their licenses. */
const PACKAGES = ["preact", "marked", "diff"];

/** Bundles the program of a page into one script, with the license texts at its beginning. Only a checkout can do this. */
export async function bundlePage(name: PageName): Promise<PageAssets> {
  const root = packageRoot();
  const app = join(root, "src/report/app");
  const bundle = await rolldown({
    cwd: root,
    input: join(app, `${name}.tsx`),
    platform: "browser",
    tsconfig: join(app, "tsconfig.json"),
  });
  const { output } = await bundle.generate({
    format: "iife",
    minify: true,
    banner: readLicenses(root),
  });
  await bundle.close();
  const [{ code: script }] = output;
  return { script, styles: readFileSync(join(app, "page.css"), "utf8") };
}

function readLicenses(root: string): string {
  const texts = PACKAGES.map((name) => {
    const text = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text.trim().replaceAll("*/", "* /")}\n`;
  });
  return `/*!\n${texts.join("\n")}*/`;
}
