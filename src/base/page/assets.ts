import { existsSync, readFileSync } from "node:fs";
import type { PageAssets, PageName } from "./page.js";

/** What a page is made of: built in a published package, bundled anew in a checkout. */
export async function loadAssets(name: PageName): Promise<PageAssets> {
  const built = (ending: string): URL => new URL(`./pages/${name}.${ending}`, import.meta.url);
  if (!existsSync(built("js"))) return await (await import("./bundle-page.js")).bundlePage(name);
  return { script: readFileSync(built("js"), "utf8"), styles: readFileSync(built("css"), "utf8") };
}
