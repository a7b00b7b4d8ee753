import { randomBytes } from "node:crypto";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { packageRoot } from "../../../src/base/package.js";
import { ALL_PARTS, copyRepository } from "../../../src/base/testing/copy-repository.js";
import { sampleCases } from "../../../src/base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../../src/base/user-error.js";
import { targets } from "../../../src/rollouts/wire/export/targets/index.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import {
  expectNoFaults,
  expectReachedByKeyboard,
  findFaults,
  goTo as goToPart,
  usePage,
} from "./testing/check-page.js";
import { launchChromium, openPage } from "./testing/launch-chromium.js";

const SAMPLE = join(packageRoot(), "fixtures/golden/support-desk");

/** Addresses of every kind of view. */
const VIEWS = [
  "#/",
  "#/rollouts",
  "#/rollouts/0",
  "#/rollouts/0?view=pair",
  "#/rollouts/0?mode=markdown",
  "#/rollouts/0?mode=raw&hide=user",
  "#/rollouts/999",
  "#/findings",
];

let browser: Browser;
let folder: TestFolder;

beforeAll(async () => {
  browser = await launchChromium();
  folder = createTestFolder();
  cpSync(SAMPLE, folder.path, { recursive: true });
  const damaged = JSON.stringify({ ...createBranch(), temperature: "hot" });
  folder.write("in.jsonl", `${readFileSync(join(SAMPLE, "input.jsonl"), "utf8")}${damaged}\n{}\n`);
  const [first = "{}"] = readFileSync(join(SAMPLE, "input.jsonl"), "utf8").split("\n");
  folder.write("eval.jsonl", `${JSON.stringify({ id: "e-1", text: JSON.parse(first).task })}\n`);
  await makeReport("sample.html", "in.jsonl", "--eval-items", "eval.jsonl");
});

afterAll(async () => {
  await browser?.close();
  folder?.remove();
});

async function makeReport(output: string, ...argv: string[]): Promise<void> {
  const { exitCode, stderr } = await folder.run(["report", ...argv, "--output", output]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining(output)]);
}

async function useReport(file: string, use: (page: Page) => Promise<void>): Promise<void> {
  await usePage(browser, join(folder.path, file), use);
}

async function goTo(page: Page, address: string): Promise<void> {
  await goToPart(page, address);
  // Rollouts are unpacked after their heading is shown.
  if (/rollouts\/\d/.test(address) && !address.includes("999")) {
    await page.getByRole("group", { name: "Messages" }).waitFor();
  }
}

describe("every view", () => {
  test.each(sampleCases(VIEWS, 3))(
    "%s has no fault that axe finds, in light and dark, narrow and wide",
    async (view) => {
      await useReport("sample.html", async (page) => {
        await expectNoFaults(page, () => goTo(page, view));
      });
    },
  );

  test.each(sampleCases(VIEWS, 3))("%s is reached by keyboard as a whole", async (view) => {
    await useReport("sample.html", async (page) => {
      await goTo(page, view);
      await expectReachedByKeyboard(page);
    });
  });

  test("the link to the content leads to it, and not to another part", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts?outcome=pair");
      await page.getByRole("link", { name: "Skip to content" }).press("Enter");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
      expect(new URL(page.url()).hash).toBe("#/rollouts?outcome=pair");
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Rollouts");
    });
  });

  test("printed, the list has its head", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts");
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("columnheader", { name: "Passed" }).isVisible()).toBe(true);
      expect(await page.getByRole("button", { name: "Passed" }).isVisible()).toBe(true);
    });
  });

  test("printed, it has its text and no controls", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts/0");
      const result = page.locator("details .text").first();
      expect(await result.isVisible()).toBe(false);
      await page.emulateMedia({ media: "print" });
      expect(await result.isVisible()).toBe(true);
      expect(await page.getByRole("navigation").first().isVisible()).toBe(false);
      expect(await page.getByRole("combobox").first().isVisible()).toBe(false);
      expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    });
  });

  test("red: axe finds a picture without a text", async () => {
    await useReport("sample.html", async (page) => {
      await page.evaluate(() => document.querySelector("main")?.append(new Image()));
      expect(await findFaults(page)).toEqual([expect.stringContaining("image-alt")]);
    });
  });
});

test("without an evaluation set, the page says that nothing was checked", async () => {
  await makeReport("unchecked.html", "in.jsonl");
  await useReport("unchecked.html", async (page) => {
    expect(await page.getByText("not checked").count()).toBe(1);
  });
});

test("a rollout is found by its id; an address that leads nowhere says so", async () => {
  await useReport("sample.html", async (page) => {
    await goTo(page, "#/rollouts/desk-002");
    const title = page.getByRole("heading", { level: 1 });
    expect(await title.textContent()).toBe("Rollout desk-002");
    expect(await page.title()).toBe("Rollout desk-002 · 7 rollouts · rollout-wire");
    for (const address of ["#/rollouts/-1", "#/rollouts/%zz", "#/rollouts/none"]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, address);
      await page.getByRole("heading", { level: 1, name: "No such rollout" }).waitFor();
      expect(await page.getByText("none of this number or id").count()).toBe(1);
    }
    await page.evaluate(() => {
      location.hash = "#/Rollouts";
    });
    await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
  });
});

test("without a pair, the best and the worst branch are not said to be chosen and rejected", async () => {
  folder.write(
    "equal.jsonl",
    toJsonl([createBranch(), createBranch({ branch_index: 1, rank: 2, final_answer: "another" })]),
  );
  await makeReport("equal.html", "equal.jsonl");
  await useReport("equal.html", async (page) => {
    await goTo(page, "#/rollouts/0?view=pair");
    expect(await page.getByText("best by rank").count()).toBeGreaterThan(0);
    expect(await page.getByText("chosen", { exact: true }).count()).toBe(0);
  });
});

test("the numbers of the overview lead to what they count, the worst contamination first", async () => {
  await useReport("sample.html", async (page) => {
    await goTo(page, "#/");
    await page.getByRole("term").filter({ hasText: "contaminated" }).waitFor();
    await page.locator("dl").getByRole("link").nth(1).click();
    await page.getByRole("heading", { level: 1, name: "Rollouts" }).waitFor();
    expect(new URL(page.url()).hash).toBe(
      "#/rollouts?finding=contaminated&sort=overlap&order=down",
    );
    const overlaps = await page.locator("tbody tr td:nth-last-child(2)").allTextContents();
    expect(overlaps.map(Number)).toEqual(overlaps.map(Number).toSorted((a, b) => b - a));
    expect(overlaps[0]).toBe("1");
  });
});

describe("the list", () => {
  test("search, filters and order are in the address", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts");
      const count = () => page.getByRole("status").textContent();
      const rows = page.locator("tbody").getByRole("row");
      const before = await rows.count();
      await page.getByRole("combobox", { name: "Outcome" }).selectOption("pair");
      const pairs = await rows.count();
      expect(pairs).toBeLessThan(before);
      expect(await count()).toBe(`${pairs} rollouts`);
      await page.getByRole("searchbox", { name: "Search" }).fill("DESK-001");
      expect(await count()).toBe("1 rollout");
      expect(new URL(page.url()).hash).toBe("#/rollouts?outcome=pair&search=DESK-001");
      await page.getByRole("searchbox", { name: "Search" }).fill("");
      const gap = page.getByRole("button", { name: "Gap" });
      await gap.click();
      await gap.click();
      const header = page.getByRole("columnheader", { name: "Gap" });
      expect(await header.getAttribute("aria-sort")).toBe("descending");
      const gaps = (await rows.locator("td:nth-child(7)").allTextContents()).map(Number);
      expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
      await page.getByRole("button", { name: "Turns" }).click();
      expect(new URL(page.url()).hash).toBe("#/rollouts?outcome=pair&sort=turns");
    });
  });

  test("a rollout is opened, and the next one", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts");
      await page.getByRole("link", { name: "desk-001", exact: true }).click();
      const title = page.getByRole("heading", { level: 1 });
      await expect.poll(() => title.textContent()).toBe("Rollout desk-001");
      await page.getByRole("link", { name: "Next" }).click();
      await expect.poll(() => title.textContent()).not.toBe("Rollout desk-001");
    });
  });

  test("the neighbours of a rollout are those of the list, and keep what is shown", async () => {
    await useReport("sample.html", async (page) => {
      await goTo(page, "#/rollouts?outcome=pair&sort=turns&order=down");
      const links = page.locator("tbody").getByRole("link");
      const ids = await links.allTextContents();
      await links.first().click();
      await page.getByRole("combobox", { name: "Show" }).selectOption("pair");
      for (const id of ids.slice(1)) {
        await page.getByRole("link", { name: "Next" }).click();
        await page.getByRole("heading", { level: 1, name: `Rollout ${id}` }).waitFor();
        expect(await page.getByRole("combobox", { name: "Show" }).inputValue()).toBe("pair");
      }
      expect(await page.getByRole("link", { name: "Next" }).count()).toBe(0);
      await page.getByRole("link", { name: "List" }).click();
      await expect.poll(() => links.allTextContents()).toEqual(ids);
    });
  });

  test("back in the list, it is where it was", async () => {
    await useReport("sample.html", async (page) => {
      await page.setViewportSize({ width: 600, height: 300 });
      await goTo(page, "#/rollouts");
      await page.evaluate(() => scrollTo(0, 250));
      await page.locator("tbody").getByRole("link").last().click();
      await page.getByRole("group", { name: "Messages" }).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Rollouts" }).waitFor();
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
    });
  });

  test("of many branches, the first are shown", async () => {
    const branches = Array.from({ length: 30 }, (_, index) =>
      createBranch({ branch_index: index, rank: index + 1, total_score: 1 - index / 100 }),
    );
    folder.write("many.jsonl", toJsonl(branches));
    await makeReport("many.html", "many.jsonl");
    await useReport("many.html", async (page) => {
      await goTo(page, "#/rollouts/0");
      const heads = page.getByRole("heading", { name: /^Branch/ });
      expect(await heads.count()).toBe(12);
      await page.getByRole("button", { name: "Show more of 30 branches" }).click();
      expect(await heads.count()).toBe(24);
    });
  });
});

test("the page that npm start writes opens with the pair that it printed", async () => {
  const copy = copyRepository(ALL_PARTS);
  try {
    const { status, stdout } = copy.run("start");
    expect([status, stdout]).toEqual([
      EXIT.ok,
      expect.stringContaining("out/report.html: 7 rollouts"),
    ]);
    const [, id = ""] = /^rollout (\S+)/m.exec(stdout) ?? [];
    await usePage(browser, join(copy.root, "out/report.html"), async (page) => {
      await goTo(page, "#/rollouts");
      await page.getByRole("link", { name: id, exact: true }).click();
      await page.getByRole("combobox", { name: "Show" }).selectOption("pair");
      expect(await page.locator("p.chosen, p.rejected").allTextContents()).toContain("chosen");
      expect((await readTrainerLines(page)).length).toBeGreaterThan(0);
    });
  } finally {
    copy.remove();
  }
});

test("the pages of a large report lead to one another", async () => {
  const branches = Array.from({ length: 60 }, (_, index) =>
    createBranch({ rollout_id: `r-${index}`, final_answer: randomBytes(15_000).toString("hex") }),
  );
  folder.write("large.jsonl", toJsonl(branches));
  await makeReport("pages", "large.jsonl", "--pages", "--max-size", "1");
  const { page, troubles } = await openPage(browser, join(folder.path, "pages/index.html"));
  await goTo(page, "#/rollouts");
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Next page" }).click();
  await page.getByRole("link", { name: "Previous page" }).waitFor();
  expect(page.url()).toMatch(/\/pages\/page-2\.html#\/rollouts$/);
  expect(await page.getByRole("link", { name: "r-59" }).count()).toBe(1);
  expect(troubles).toEqual([]);
  await page.context().close();
});

test("words that the task shares with the evaluation set are marked, with the item", async () => {
  await useReport("sample.html", async (page) => {
    await goTo(page, "#/rollouts/0");
    const mark = page.locator("mark").first();
    expect(await mark.getAttribute("title")).toBe("evaluation item e-1");
    expect((await mark.textContent())?.length).toBeGreaterThan(20);
    expect(await page.getByText("of evaluation item").textContent()).toContain("eval.jsonl:1");
  });
});

test("a finding has its place, as a link to the file", async () => {
  await useReport("sample.html", async (page) => {
    await goTo(page, "#/findings");
    const lines = readFileSync(join(folder.path, "in.jsonl"), "utf8").trimEnd().split("\n").length;
    await expect
      .poll(() => page.locator("li code").allTextContents())
      .toContain(`in.jsonl:${lines}:1`);
    const link = page.getByRole("link", { name: `in.jsonl:${lines}:1` });
    expect(
      await link.evaluate((element) => element instanceof HTMLAnchorElement && element.href),
    ).toBe(`${pathToFileURL(join(folder.path, "in.jsonl"))}#L${lines}`);
  });
});

describe("what the trainer gets", () => {
  beforeAll(async () => {
    // Not every target takes the pairs of the sample.
    const plain = [createBranch(), createBranch({ branch_index: 1, rank: 2, total_score: 0 })];
    const branches = plain.map((branch, index) => ({ ...branch, final_answer: `It is ${index}.` }));
    const sample = readFileSync(join(SAMPLE, "input.jsonl"), "utf8");
    folder.write("more.jsonl", `${sample}${toJsonl(branches)}`);
    await makeReport("more.html", "more.jsonl");
  });

  test.each(Object.keys(targets))("%s: the bytes of the export", async (target) => {
    const argv = ["export", "--input", "more.jsonl", "--allow-missing-g3", "--target", target];
    const output = `out-${target}`;
    const { exitCode } = await folder.run([...argv, "--output-dir", output]);
    expect(exitCode).toBe(EXIT.ok);
    const exported = readLines(join(folder.path, output)).map(withoutTime);
    expect(exported.length).toBeGreaterThan(0);
    await useReport("more.html", async (page) => {
      const shown: string[] = [];
      for (const rollout of [0, 7]) {
        await goTo(page, `#/rollouts/${rollout}?view=pair`);
        await page.getByRole("combobox", { name: "Trainer" }).selectOption(target);
        expect(page.url()).toContain(`trainer=${target}`);
        shown.push(...(await readTrainerLines(page)));
      }
      expect(shown.length).toBeGreaterThan(0);
      for (const line of shown) expect(exported).toContain(withoutTime(line));
    });
  });

  test("an exported line is shown as it is, and said to be the same", async () => {
    const argv = ["export", "--input", "input.jsonl", "--allow-missing-g3", "--target", "trl"];
    await folder.run([...argv, "--output-dpo", "dpo.jsonl", "--output-ppo", "ppo.jsonl"]);
    await makeReport("pairs.html", "input.jsonl", "--pairs", "dpo.jsonl");
    const [line = ""] = readFileSync(join(folder.path, "dpo.jsonl"), "utf8").split("\n");
    await useReport("pairs.html", async (page) => {
      await goTo(page, "#/rollouts/0?view=pair");
      expect((await readTrainerLines(page)).at(-1)).toBe(line);
      expect(await page.getByText("the same as that of trl above").count()).toBe(1);
    });
  });
});

/** The lines that the trainer gets, as a whole. */
async function readTrainerLines(page: Page): Promise<string[]> {
  const more = page.locator(".line").getByRole("button");
  while ((await more.count()) > 0) await more.first().click();
  return await page.locator(".line pre").allTextContents();
}

/** All lines of the JSONL files in a folder. */
function readLines(path: string): string[] {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(path, name), "utf8").trimEnd().split("\n"));
}

function withoutTime(line: string): string {
  return line.replace(/"exported_at_ms":\d+/, '"exported_at_ms":0');
}

/** What has no shape, but an effect. */
const HIDDEN = ["\u202e", "\u0000", "\ud800"];

describe("hostile records", () => {
  const attack =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}";
  const markdown = `[a](javascript:alert(3)) ![b](https://x.example/p.png) <iframe src="//x.example">`;
  const output = `${attack}\u202e\u0000 ${"x".repeat(5_000_000)}`;
  const turns = Array.from({ length: 10_001 }, (_, index) => ({
    role: index % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content: index === 0 ? `${attack} ${markdown}` : `turn ${index}`,
  }));
  const branch = (branch_index: number) => ({
    ...createBranch({
      rollout_id: attack,
      task: `${attack} \u202e${markdown}`,
      branch_index,
      rank: branch_index + 1,
      total_score: 1 - branch_index,
      tool_call_sequence: [
        { event: "tool_call", data: { toolName: attack, args: { [attack]: attack }, callId: "1" } },
        { event: "tool_result", data: { callId: "1", output: `${output}${branch_index}` } },
      ],
      final_answer: `${attack}${markdown}${branch_index}`,
    }),
  });

  beforeAll(async () => {
    const halved = { ...branch(0), rollout_id: `${attack}\ud800` };
    const long = {
      ...branch(0),
      ...{ rollout_id: "long", tool_call_sequence: [], turns, final_answer: "turn 10000" },
    };
    folder.write("bad.jsonl", toJsonl([branch(0), branch(1), long, halved]));
    await makeReport("bad.html", "bad.jsonl");
  });

  const views = ["#/", "#/rollouts", "#/findings"];
  const parts = [
    "view=branches",
    "view=pair",
    "mode=markdown",
    "mode=raw",
    "view=pair&mode=markdown",
  ];
  const opened = parts.map((query) => `#/rollouts/0?${query}`);

  test.each([...views, ...opened])("%s: all of it is text", async (view) => {
    await useReport("bad.html", async (page) => {
      await goTo(page, view);
      for (const summary of await page.locator("summary").all()) await summary.click();
      const found = await page.evaluate(() => {
        const places = "main img, main script, main iframe, main style, a[href^='javascript']";
        return document.querySelectorAll(places).length;
      });
      expect(found).toBe(0);
      const text = (await page.locator("main").textContent()) ?? "";
      for (const hidden of HIDDEN) expect(text).not.toContain(hidden);
      if (view !== "#/" && view !== "#/findings") expect(text).toContain("<img src=x");
      if (opened.includes(view)) expect(text).toContain("\\u202e");
    });
  });

  test("a long text is cut, and shown as a whole when it is wanted", async () => {
    await useReport("bad.html", async (page) => {
      await goTo(page, "#/rollouts/0");
      await page
        .locator("summary", { hasText: /^result/ })
        .first()
        .click();
      const result = page.locator("details[open]").first();
      expect((await result.locator("pre").textContent())?.length).toBeLessThan(3_000);
      await result.getByRole("button", { name: /Show all 5,000,\d+ characters/ }).click();
      expect((await result.locator("pre").textContent())?.length).toBeGreaterThan(5_000_000);
    });
  });

  test("of 10,000 turns, the first are shown", async () => {
    await useReport("bad.html", async (page) => {
      await goTo(page, "#/rollouts/1");
      const messages = page.locator(".message");
      expect(await messages.count()).toBe(60);
      await page.getByRole("button", { name: "Show 600 more" }).click();
      expect(await messages.count()).toBe(660);
    });
  });
});
