import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/package.js";
import { loadCommands } from "./commands/index.js";

/** Sentences and titles, which start no command. */
const NAMED = [
  "rollout-wire rank refuses such branches",
  '"rollout-wire report"',
  "files.ts: `rollout-wire generate`",
];

// `rollout-wire` need not be on the user's PATH: what starts it is in the context of a command.
test("no message has the name of the program before a command", async () => {
  const sources = ["src", "conformance"]
    .flatMap((folder) =>
      readdirSync(join(packageRoot(), folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file.replaceAll("\\", "/")}`,
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\/|\/interop\//.test(file));
  const names = (await loadCommands()).map(({ name }) => name).join("|");
  const printed = new RegExp(
    `["'\`][^"'\`\n]*\\brollout-wire (?:${names})\\b[^"'\`\n]*["'\`]`,
    "g",
  );
  const found = sources.flatMap((file) => {
    const text = readFileSync(join(packageRoot(), file), "utf8");
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    return [...code.matchAll(printed)].map(([literal]) => `${file}: ${literal}`);
  });
  expect(sources.length).toBeGreaterThan(500);
  const isNamed = (each: string): boolean => NAMED.some((named) => each.includes(named));
  expect(found.filter((each) => !isNamed(each))).toEqual([]);
  expect(found.filter(isNamed)).toHaveLength(NAMED.length);
});
