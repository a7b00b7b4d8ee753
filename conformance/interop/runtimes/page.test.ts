import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { packageRoot } from "../../../src/base/package.js";
import { toDpoRecord } from "../../../src/rollouts/wire/export/flat-records.js";
import { createBranch } from "../../../src/rollouts/wire/export/testing/create-branch.js";
import { type InstalledPackage, installPackage } from "../../package/testing/install-package.js";
import { runTool } from "../../package/testing/run-tool.js";
import { launchChromium, type OpenPage, openPage } from "./testing/launch-chromium.js";

const EXAMPLE = "examples/browser";
const README = readFileSync(join(packageRoot(), EXAMPLE, "README.md"), "utf8");
const [, command = ""] = /^(npx esbuild .*)$/m.exec(README) ?? [];

const first = createBranch();
const second = createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });
const branches = [first, second];

let installed: InstalledPackage;
let output = "";
let browser: Browser;
let open: OpenPage;

beforeAll(async () => {
  installed = installPackage();
  const { folder } = installed;
  cpSync(join(packageRoot(), EXAMPLE), join(folder, EXAMPLE), { recursive: true });
  for (const path of ["esbuild", ".bin/esbuild"]) {
    symlinkSync(join(packageRoot(), "node_modules", path), join(folder, "node_modules", path));
  }
  output = join(folder, "out/browser");
  runTool("sh", ["-c", command], folder);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  installed.remove();
  expect(listChildren().filter((name) => /chrom/.test(name))).toEqual([]);
});

beforeEach(async () => {
  open = await openPage(browser, join(output, "page.html"));
});

afterEach(async () => {
  const url = (file: string): string => pathToFileURL(join(output, file)).href;
  expect(open.requests).toEqual(["page.html", "page.css", "page.js"].map(url));
  expect(open.troubles).toEqual([]);
  await open.page.context().close();
});

/** Names of the processes that this one has started and that still run. */
function listChildren(): string[] {
  if (process.platform !== "linux") return [];
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  const ids = pids.split(" ").filter(Boolean);
  return ids.map((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim());
}

/** Replaces the records by pasting, and checks them. */
async function check(text: string): Promise<void> {
  const records = open.page.getByRole("textbox", { name: "Records" });
  await records.focus();
  await records.selectText();
  await open.page.keyboard.insertText(text);
  await open.page.keyboard.press("Tab");
  await open.page.keyboard.press("Enter");
}

function readVerdict(): Promise<string | null> {
  return open.page.getByRole("status", { name: "Verdict" }).textContent();
}

/** The cells of each fault. */
async function readFaults(): Promise<string[][]> {
  const rows = await open.page.locator("tbody").getByRole("row").all();
  return await Promise.all(rows.map((row) => row.getByRole("cell").allTextContents()));
}

/** Title and content of each rollout below the verdict. */
async function readPairs(): Promise<(string | null)[][]> {
  const pairs = await open.page.getByRole("article").all();
  return await Promise.all(
    pairs.map(async (pair) => [
      await pair.getByRole("heading").textContent(),
      await pair.locator("p, pre").textContent(),
    ]),
  );
}

test("the page and its tests compile, without types of Node in the page", () => {
  const tsc = join(packageRoot(), "node_modules/.bin/tsc");
  expect(runTool(tsc, ["-p", EXAMPLE], installed.folder)).toBe("");
  expect(runTool(tsc, ["-p", import.meta.dirname], packageRoot())).toBe("");
});

test("it opens with an example, whose DPO record is that of the library", async () => {
  expect(await readVerdict()).toBe("2 records: valid.");
  const example = await open.page.getByRole("textbox", { name: "Records" }).inputValue();
  const [[title, content] = []] = await readPairs();
  const record = JSON.parse(content ?? "");
  const exportedAtMs = record.provenance.exported_at_ms;
  const lines = example.trim().split("\n");
  const expected = toDpoRecord(
    lines.map((line) => JSON.parse(line)),
    { exportedAtMs },
  );
  expect(title).toBe("sum");
  expect(content).toBe(JSON.stringify(expected, null, 2));
  expect(Math.abs(Date.now() - exportedAtMs)).toBeLessThan(3_600_000);
});

test("a user without a mouse types a record, and reads the verdict", async () => {
  const { keyboard } = open.page;
  const focused = (): Promise<string> => open.page.evaluate(() => document.activeElement?.id ?? "");
  await keyboard.press("Tab");
  expect(await focused()).toBe("type");
  await keyboard.press("Tab");
  expect(await focused()).toBe("records");
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type(JSON.stringify(first));
  await keyboard.press("Tab");
  await keyboard.press("Space");
  expect(await readVerdict()).toBe("1 record: valid.");
  expect(await readPairs()).toEqual([["r-1", "No pair: it has only one branch."]]);

  await keyboard.press("Shift+Tab");
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type(JSON.stringify({ ...first, total_score: "x" }));
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  expect(await readVerdict()).toBe("1 record, 0 valid: 1 fault.");
  expect(await readFaults()).toEqual([["record 1", "/total_score", 'must be a number, is "x"']]);
  expect(await readPairs()).toEqual([]);
  expect(await open.page.locator("main").ariaSnapshot()).toMatchInlineSnapshot(`
    "- main:
      - heading "Check rollout records" [level=1]
      - paragraph:
        - text: Type of the records
        - combobox "Type of the records":
          - option "RolloutBranchRecord" [selected]
          - option "RolloutBranch"
          - option "DpoRecord"
          - option "PpoRecord"
          - option "DpoTrainingRecord"
          - option "PpoTrainingRecord"
      - paragraph:
        - text: "Records: one JSON object per line, or one JSON text"
        - 'textbox "Records: one JSON object per line, or one JSON text"': "{\\"rollout_id\\":\\"r-1\\",\\"task\\":\\"What is 2+2?\\",\\"branch_index\\":0,\\"temperature\\":0.7,\\"session_id\\":\\"s-1\\",\\"tool_call_sequence\\":[],\\"final_answer\\":\\"four\\",\\"objective_score\\":1,\\"rank\\":1,\\"total_score\\":\\"x\\"}"
      - button "Check"
      - heading "Verdict" [level=2]
      - status "Verdict": "1 record, 0 valid: 1 fault."
      - table "Faults":
        - caption: Faults
        - rowgroup:
          - row "Record Pointer Message":
            - columnheader "Record"
            - columnheader "Pointer"
            - columnheader "Message"
        - rowgroup:
          - row "record 1 /total_score must be a number, is \\"x\\"":
            - cell "record 1"
            - cell "/total_score"
            - cell "must be a number, is \\"x\\"""
  `);
});

test("another type, chosen by keyboard", async () => {
  await open.page.keyboard.press("Tab");
  await open.page.keyboard.type("Dpo");
  const { provenance, ...record } = toDpoRecord(branches, { exportedAtMs: 0 }) ?? {};
  await check(JSON.stringify({ ...record, provenance: { ...provenance, "a/b~": 1 } }));
  expect(await readFaults()).toEqual([
    ["record 1", "/provenance", 'has "a/b~", which is not allowed here'],
  ]);
  await check(JSON.stringify({ ...record, provenance }));
  expect(await readVerdict()).toBe("1 record: valid.");
});

test("lines, with the line of each fault", async () => {
  await check(`${toJsonl([first])}\r\n{"task":\n${toJsonl([{ ...second, rank: 0 }])}`);
  expect(await readVerdict()).toBe("3 records, 1 valid: 2 faults.");
  expect(await readFaults()).toEqual([
    ["line 3", "(text)", "not JSON: Unexpected end of JSON input"],
    ["line 4", "/rank", "must be >= 1, is 0"],
  ]);
  expect(await readPairs()).toEqual([]);
  await check(toJsonl(branches.map((branch) => ({ ...branch, total_score: 1 }))));
  expect(await readFaults()).toEqual([]);
  expect(await readPairs()).toEqual([["r-1", "No pair: both branches have the same total score."]]);
});

test("one JSON text: a record over several lines, an array, and a mistake in it", async () => {
  await check(JSON.stringify(first, null, 2));
  expect(await readVerdict()).toBe("1 record: valid.");
  const array = JSON.stringify([...branches, { ...first, rank: 0 }], null, 2);
  await check(array);
  expect(await readFaults()).toEqual([["record 3", "/rank", "must be >= 1, is 0"]]);
  await check(`{\n"task": "t",\n}`);
  const [[place, pointer, message] = []] = await readFaults();
  expect([place, pointer]).toEqual(["text", "(text)"]);
  expect(message).toMatch(/^not JSON: Expected double-quoted property name/);
  await check("");
  expect(await readVerdict()).toBe("No records.");
});

test("markup in a record is shown as text", async () => {
  const image = '<img src="x" onerror="alert(1)">';
  await check(image);
  const [[, , message] = []] = await readFaults();
  expect(message).toMatch(/^not JSON: Unexpected token '<', "<img src="/);
  const hostile = branches.map((branch) => ({ ...branch, rollout_id: image, task: image }));
  await check(toJsonl(hostile));
  const [[title, content] = []] = await readPairs();
  expect(title).toBe(image);
  expect(JSON.parse(content ?? "")).toMatchObject({ prompt: image });
  expect(await open.page.locator("img").count()).toBe(0);
});

test("of many faults, the first ones are shown", async () => {
  await check("{}\n".repeat(1000));
  expect(await readVerdict()).toBe("1000 records, 0 valid: 10000 faults, the first 200 below.");
  expect(await open.page.locator("tbody").getByRole("row").count()).toBe(200);
});

test("the README says how much script it is", () => {
  const [, kilobytes = ""] = /(\d+) kB of script/.exec(README) ?? [];
  const size = readFileSync(join(output, "page.js")).length;
  expect(Math.abs(size / 1000 - Number(kilobytes))).toBeLessThan(20);
  expect(readdirSync(output).sort()).toEqual(["page.css", "page.html", "page.js"]);
});
