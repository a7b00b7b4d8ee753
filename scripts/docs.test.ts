import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { readPublisher } from "./publish/publisher.js";
import { findRepositoryNames } from "./publish/repository-names.js";
import { REPO_ROOT } from "./run-script.js";
import { listPages, RECIPES } from "./testing/list-pages.js";

const PAGES = listPages();

const read = (page: string): string => readFileSync(join(REPO_ROOT, page), "utf8");

/** Paths of this repository that a page mentions as code, except those with placeholders. */
function findPaths(text: string): string[] {
  const roots = "src|conformance|scripts|schema|fixtures|generated|docs|examples";
  const named = text.matchAll(new RegExp(`\`((?:${roots})/[\\w./-]+)\``, "g"));
  return [...named].map(([, path = ""]) => path);
}

/** The anchors that GitHub gives the headings of a page. */
function findAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Links of a page whose targets do not exist. */
function findDeadLinks(page: string): string[] {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, link = ""]) => link,
  );
  return links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(join(REPO_ROOT, target))) return true;
    return anchor !== undefined && !findAnchors(read(target)).includes(anchor);
  });
}

test("there are pages, paths and links to check", () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((page) => findPaths(read(page))).length).toBeGreaterThan(50);
});

test("the documentation is no longer than somebody reads: say it once, and replace", () => {
  const bytesOf = (pages: readonly string[]): number => Buffer.byteLength(pages.map(read).join(""));
  expect(bytesOf(PAGES.filter((page) => page.startsWith("docs/")))).toBeLessThan(200_000);
  expect(bytesOf(["CONTRIBUTING.md"])).toBeLessThan(9_000);
});

test.each(PAGES)("%s mentions only paths that exist", (page) => {
  const gone = findPaths(read(page)).filter((path) => !existsSync(join(REPO_ROOT, path)));
  expect(gone).toEqual([]);
});

test.each(PAGES)("the links in %s have targets", (page) => {
  expect(findDeadLinks(page)).toEqual([]);
});

test.each(PAGES)("%s mentions only existing npm scripts", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(page).matchAll(/\bnpm run (?:--silent |-s )?([a-z][\w:]*)/g)];
  const unknown = named.map(([, name = ""]) => name).filter((name) => !(name in scripts));
  expect(unknown).toEqual([]);
});

test("every page that names the repository names that of package.json", () => {
  const { repository } = readPublisher(REPO_ROOT);
  const named = findRepositoryNames(REPO_ROOT);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ page }) => page !== repository)).toEqual([]);
});

test("every module in a data flow of ARCHITECTURE.md exists", () => {
  const flows = [...read("ARCHITECTURE.md").matchAll(/^```\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text,
  );
  const named = flows.flatMap((text = "") => [...text.matchAll(/\b[a-z]+(?:\/[a-z][\w-]*)+/g)]);
  const paths = named.map(([path]) => path);
  const places = [
    "src",
    "src/contract",
    "src/rollouts",
    "src/rollouts/wire",
    "scripts",
    ".",
  ].flatMap((root) => paths.map((path) => [path, `${root}/${path}`]));
  const found = new Set(
    places
      .filter(
        ([, place = ""]) =>
          existsSync(join(REPO_ROOT, place)) || existsSync(join(REPO_ROOT, `${place}.ts`)),
      )
      .map(([path]) => path),
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !found.has(path))).toEqual([]);
});

/** What each recipe asks you to write, by heading: the interfaces that it implements, and where. */
const ASKED = [
  ["Add a check", "conformance/check.ts", "Check"],
  ["Add a code generator", "src/contract/codegen/target.ts", "Target"],
  ["Add a command", "src/cli/command.ts", "Command"],
  ["Add a detector of secrets", "src/rollouts/capture/redact/detectors/detector.ts", "Detector"],
  ["Add a fixture", "conformance/coverage/operators/operator.ts", "Operator"],
  ["Add a lint of schemas", "src/contract/codegen/lints.ts", "Lint"],
  ["Add a rule of `diff`", "src/contract/compat/rules/rule.ts", "Rule"],
  ["Add a semantic rule", "src/rollouts/wire/validation/rules/rule.ts", "RuleBase"],
  ["Add a semantic rule", "src/rollouts/wire/validation/rules/rule.ts", "RecordRule"],
  ["Add a sink", "src/rollouts/capture/delivery/sinks/sink.ts", "Sink"],
  ["Add a form of `import`", "src/rollouts/pipeline/import/forms/form.ts", "Form"],
  ["Add an export target", "src/rollouts/wire/export/targets/target.ts", "ExportTarget"],
  ["Excuse a difference", "conformance/agreement/known-differences.ts", "KnownDifference"],
  ["Teach `diff` a keyword", "src/contract/compat/solver/keywords/keyword.ts", "Keyword"],
  ["Teach `diff` a keyword", "src/contract/compat/solver/keywords/keyword.ts", "Part"],
] as const;

/** Names of the members that an interface requires, in the text of a file. */
function findMembers(source: string, name: string): string[] {
  const [, body = ""] = source.split(new RegExp(`^(?:export )?interface ${name}\\b.*\\{$`, "m"));
  const [own = ""] = body.split(/^\}$/m);
  return [...own.matchAll(/^ {2}(?:readonly )?(\w+)(?::|\()/gm)].map(([, member = ""]) => member);
}

test.each(ASKED)("the recipe '%s' names every member that %s requires of a %s", (...recipe) => {
  const [heading, file, name] = recipe;
  const members = findMembers(read(file), name);
  expect(members.length).toBeGreaterThan(0);
  const [, section = ""] = RECIPES.map(read).join("\n").split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const words = [...text.matchAll(/`(\w+)[^`]*`/g)].map(([, word]) => word);
  expect(members.filter((member) => !words.includes(member))).toEqual([]);
});
