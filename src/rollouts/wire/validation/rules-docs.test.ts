import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../base/package.js";
import { profiles } from "./profiles.js";
import { rules } from "./rules/index.js";

const FOLDER = join(packageRoot(), "docs/rules");

function read(name: string): string {
  return readFileSync(join(FOLDER, name), "utf8").replaceAll(/ +/g, " ");
}

test("every rule has a page, and every page a rule", () => {
  const pages = readdirSync(FOLDER).filter((name) => name !== "README.md");
  expect(pages.toSorted()).toEqual(rules.map(({ id }) => `${id}.md`).toSorted());
});

test.each(rules)("the page of $id states purpose, severities, reason and fix", (rule) => {
  const { id, purpose } = rule;
  const page = read(`${id}.md`);
  expect(page).toMatch(new RegExp(`^# ${id}\n`));
  expect(page).toContain(`The rule: ${purpose}.`);
  const severities = Object.entries(profiles).map(([profile, of]) => `${profile} ${of[id]}`);
  expect(page).toContain(`\nSeverity: ${severities.join(", ")}.\n`);
  for (const heading of ["Example", "Why", "Fix"]) {
    expect(page).toContain(`\n## ${heading}\n`);
  }
});

test("the list of rules states the same", () => {
  const rows = read("README.md").match(/^\| \[.*$/gm);
  const expected = rules.map(
    ({ id, scope }) =>
      `| [${id}](${id}.md) | ${scope} | ${profiles.strict[id]} | ${profiles.lenient[id]} |`,
  );
  expect(rows).toEqual(expected);
});
