import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { GRADE_FIXES } from "./grades.js";

test("the table of docs/consumers.md has every grade and its fix", () => {
  const guide = readFileSync(join(packageRoot(), "docs/consumers.md"), "utf8");
  const [, section = ""] = guide.split("\n## Grades and fixes\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` \|.*\| (.*) \|$/gm)];
  const listed = rows.map(([, grade, fix]) => [grade, fix]);
  expect(Object.fromEntries(listed)).toEqual(GRADE_FIXES);
});
