import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../../src/base/user-error.js";
import {
  ATTACK,
  ODD_NAME,
  writeRepository,
} from "../../../src/cli/contract/testing/write-repository.js";
import { expectNoFaults, expectReachedByKeyboard, goTo, usePage } from "./testing/check-page.js";
import { launchChromium } from "./testing/launch-chromium.js";

const ODD_TYPE = `#/types/note/${encodeURIComponent(ODD_NAME)}`;

/** Addresses of every kind of view: of the page about the package, and of the small one. */
const VIEWS = [
  ["own.html", "#/"],
  ["own.html", "#/types"],
  ["own.html", "#/types/rollout-wire"],
  ["own.html", "#/types/rollout-wire/RolloutBranchRecord?field=total_score"],
  ["own.html", "#/fields?search=hash"],
  ["own.html", "#/changes"],
  ["own.html", "#/changes/training-record/1.1.0"],
  ["own.html", "#/types/none"],
  ["note.html", "#/copies"],
  ["note.html", ODD_TYPE],
  ["diff.html", "#/"],
  ["range.html", "#/"],
  ["range.html", "#/changes/1"],
] as const;

let browser: Browser;
let folder: TestFolder;

beforeAll(async () => {
  browser = await launchChromium();
  folder = createTestFolder();
  writeRepository(folder.path);
  const report = ["report", "contract", "--output"];
  await run([...report, "own.html"]);
  await run([...report, "note.html", "--root", "owner", "--repo", "pipeline=pipeline"]);
  const [older, newer] = ["v1", "v2"].map(
    (name) => `owner/schema/released/note/${name}.schema.json`,
  );
  const diff = await folder.run(["diff", `${older}`, `${newer}`, "--format", "html"]);
  expect(diff.exitCode).toBe(EXIT.findings);
  folder.write("diff.html", diff.stdout);
  folder.write("range.html", await diffRange());
});

afterAll(async () => {
  await browser?.close();
  folder?.remove();
});

async function run(argv: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining(".html: ")]);
}

/** The page about two schemas that changed in a range of commits. */
async function diffRange(): Promise<string> {
  const cwd = join(folder.path, "git");
  mkdirSync(cwd);
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x.example", ...argv], { cwd });
  git("init", "--quiet");
  for (const type of ["integer", "number"]) {
    for (const name of ["a", "b"]) {
      writeFileSync(join(cwd, `${name}.schema.json`), JSON.stringify({ type, title: ATTACK }));
    }
    git("add", ".");
    git("commit", "--quiet", "-m", type);
  }
  return (await folder.run(["diff", "HEAD~1..HEAD", "--format", "html"], { cwd })).stdout;
}

async function use(file: string, act: (page: Page) => Promise<void>): Promise<void> {
  await usePage(browser, join(folder.path, file), act);
}

const titleOf = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

describe("every view", () => {
  test.each(sampleCases(VIEWS, 4))(
    "%s %s has no fault that axe finds, in light and dark, narrow and wide",
    async (file, view) => {
      await use(file, async (page) => {
        await expectNoFaults(page, () => goTo(page, view));
      });
    },
  );

  test.each(sampleCases(VIEWS, 4))(
    "%s %s is reached by keyboard as a whole",
    async (file, view) => {
      await use(file, async (page) => {
        await goTo(page, view);
        await expectReachedByKeyboard(page);
      });
    },
  );
});

describe("a type", () => {
  test("its fields lead to other types, also of other schemas, and back", async () => {
    await use("own.html", async (page) => {
      await goTo(page, "#/types/rollout-wire/RolloutBranch");
      const row = page.getByRole("row").filter({ hasText: "steps" });
      await row.getByRole("link", { name: "RolloutTraceStep" }).click();
      await expect.poll(() => titleOf(page)).toBe("RolloutTraceStep");
      // A screen reader says where it is.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
      await page.getByRole("link", { name: "RolloutBranch", exact: true }).click();
      await expect.poll(() => titleOf(page)).toBe("RolloutBranch");
      const rank = page.getByRole("row", { name: /^temperature/ });
      expect(await rank.getByRole("cell").allTextContents()).toEqual([
        ...["number", "required", ">= 0", "1.0.0"],
        "Sampling temperature with which the branch was run. Number from 0, no unit.",
      ]);
    });
  });

  test("an example is a valid fixture", async () => {
    await use("own.html", async (page) => {
      await goTo(page, "#/types/rollout-wire/DpoRecord");
      const example = page.locator("details[open] pre").first();
      expect(JSON.parse((await example.textContent()) ?? "")).toMatchObject({
        provenance: { source: "wasmagent-rollout" },
      });
    });
  });
});

test("fields are searched; the address has the search; a field leads to its type", async () => {
  await use("own.html", async (page) => {
    await goTo(page, "#/fields");
    const count = () => page.getByRole("status").textContent();
    expect(await count()).toMatch(/^\d+ fields, the first 200 below$/);
    await page.getByRole("searchbox", { name: "Search" }).fill("DIVERGENCE turn");
    await page.getByRole("combobox", { name: "Schema" }).selectOption("training-record");
    await expect.poll(count).toMatch(/^\d fields?$/);
    expect(new URL(page.url()).hash).toBe("#/fields?search=DIVERGENCE+turn&schema=training-record");
    await page.getByRole("link", { name: "divergence_turn" }).click();
    await expect.poll(() => titleOf(page)).toBe("TrainingProvenance");
    expect(await page.locator("mark").textContent()).toBe("divergence_turn");
    const top = () => page.locator("mark").evaluate((mark) => mark.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(900);
  });
});

test("a version has its changes, verdicts and the record that proves them", async () => {
  await use("note.html", async (page) => {
    await goTo(page, "#/changes");
    await page.getByRole("link", { name: "note 2.0.0" }).click();
    await expect.poll(() => titleOf(page)).toBe("note 1.0.0 to 2.0.0");
    expect(await page.getByRole("row", { name: /^declared-writer/ }).textContent()).toBe(
      "declared-writerbreakingcompatible",
    );
    const proof = page.locator(".proof").first();
    expect(await proof.locator("p").textContent()).toBe(
      "backward (validate), backward (declared-writer): this Note is valid before and not after:",
    );
    expect(JSON.parse((await proof.locator("pre").textContent()) ?? "")).toHaveProperty("text");
  });
});

test("printed, a page has its text and no controls", async () => {
  await use("own.html", async (page) => {
    await goTo(page, "#/fields?search=hash");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation").first().isVisible()).toBe(false);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    expect(await page.getByRole("table").isVisible()).toBe(true);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("a hostile schema", () => {
  const views = [
    ["note.html", "#/"],
    ["note.html", "#/types/note"],
    ["note.html", "#/types/note/Note"],
    ["note.html", ODD_TYPE],
    ["note.html", "#/fields"],
    ["note.html", "#/changes/note/2.0.0"],
    ["diff.html", "#/"],
    ["range.html", "#/changes/1"],
  ] as const;

  test.each(views)("%s %s: all of it is text", async (file, view) => {
    await use(file, async (page) => {
      await goTo(page, view);
      for (const summary of await page.locator("details:not([open]) summary").all()) {
        await summary.click();
      }
      const places = "main img, main script, main iframe, main style, a[href^='javascript']";
      expect(await page.locator(places).count()).toBe(0);
      const text = (await page.locator("main").textContent()) ?? "";
      expect(text).not.toContain("\u202e");
      expect(text.length).toBeGreaterThan(50);
      if (view.startsWith("#/types") || view === "#/fields") expect(text).toContain("<img src=x");
    });
  });

  test("a name that an address must escape", async () => {
    await use("note.html", async (page) => {
      await goTo(page, "#/types/note/Note");
      await page.getByRole("link", { name: ODD_NAME }).click();
      await expect.poll(() => titleOf(page)).toBe(ODD_NAME);
    });
  });
});
