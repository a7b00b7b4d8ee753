import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type OpenPage, openPage } from "./launch-chromium.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  /** What the checks put into a page. */
  interface Window {
    readonly axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    /** The elements that got the focus. */
    reached: Set<unknown>;
  }
}

/** Opens a page, uses it, and expects that it loaded nothing else and that nothing went wrong. */
export async function usePage(
  browser: Browser,
  path: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, requests, troubles }: OpenPage = await openPage(browser, path);
  try {
    await isSettled(page);
    await use(page);
    expect(troubles).toEqual([]);
    expect(new Set(requests.map((url) => url.split("#")[0]))).toEqual(
      new Set([pathToFileURL(path).href]),
    );
  } finally {
    await page.context().close();
  }
}

/** Shows the part of a page that has this address. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    if (new URL(hash, location.href).hash === location.hash) return;
    document.title = "";
    location.hash = hash;
  }, address);
  await isSettled(page);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** A part is shown first; then it moves the focus to its heading, and after that it sets the title. */
async function isSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title.includes(" \u00b7 "));
}

/** Expects that axe finds no fault and that the page fits, in light and dark, narrow and wide. */
export async function expectNoFaults(page: Page, goTo: () => Promise<void>): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      await goTo();
      expect(await findFaults(page)).toEqual([]);
      expect(await isWiderThanScreen(page)).toBe(false);
    }
  }
}

/** Rules that are broken, with the first element. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

async function isWiderThanScreen(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

/** Expects that the tabulator reaches everything that can be used. */
export async function expectReachedByKeyboard(page: Page): Promise<void> {
  const all = await countControls(page);
  expect(all).toBeGreaterThan(2);
  expect(await tabThrough(page, all + 2)).toBe(all);
}

/** Number of different elements that get the focus. */
async function tabThrough(page: Page, most: number): Promise<number> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    window.reached = new Set();
    addEventListener("focusin", ({ target }) => {
      window.reached.add(target);
    });
    document.body.tabIndex = -1;
    document.body.focus();
  });
  for (let count = 0; count < most; count += 1) await page.keyboard.press("Tab");
  return await page.evaluate(() => window.reached.size - 1);
}

async function countControls(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      "a[href], button:not(:disabled), input, select, summary, [tabindex='0']",
    );
    return [...all].filter((element) => element.checkVisibility()).length;
  });
}
