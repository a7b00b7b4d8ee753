import { existsSync, readFileSync } from "node:fs";
import type { PageAssets, PageProgram } from "./page.js";

/** What a page is made of: built in a published package, bundled anew in a checkout. */
export async function loadAssets(program: PageProgram): Promise<PageAssets> {
  const built = (ending: string): URL =>
    new URL(`./pages/${program.name}.${ending}`, import.meta.url);
  if (!existsSync(built("js"))) {
    const { bundlePage } = await import("./bundle-page.js");
    return await bundlePage(program);
  }
  return { script: readFileSync(built("js"), "utf8"), styles: readFileSync(built("css"), "utf8") };
}
