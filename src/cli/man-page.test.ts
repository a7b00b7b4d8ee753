import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCommands } from "./commands/index.js";
import { printManPage } from "./man-page.js";

const commands = await loadCommands();
const page = printManPage(commands, "1.2.3");

/** The page without what troff needs. */
const plain = page.replaceAll(/\\-/g, "-").replaceAll("\\(aq", "'").replaceAll("\\(dq", '"');

test("every command with its options, choices, defaults and examples", () => {
  for (const { name, options, examples } of commands) {
    const [, section = ""] = plain.split(`\n.SH ${`rollout-wire ${name}`.toUpperCase()}\n`);
    const [own = ""] = section.split("\n.SH ");
    for (const { flags, description } of options.filter(({ hidden }) => !hidden)) {
      expect(own).toContain(`\n.B ${flags}\n`);
      expect(own).toContain(description);
    }
    for (const example of examples) expect(own).toContain(`\n  rollout-wire ${example}\n`);
  }
  expect(plain).toContain("(one of strict, lenient)");
  expect(plain).toContain("words per n-gram (default: 8)");
});

test("no text is taken for a macro", () => {
  const lines = page.split("\n").filter((line) => /^[.']/.test(line));
  const macros = new Set(lines.map((line) => line.split(" ")[0]));
  expect([...macros].sort()).toEqual([
    ".B",
    ".PP",
    ".SH",
    ".TH",
    ".TP",
    ".ad",
    ".br",
    ".fi",
    ".nf",
  ]);
});

test("package.json names the page", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest.man).toBe("./dist/man/rollout-wire.1");
});
