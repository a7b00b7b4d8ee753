import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { REPO_ROOT } from "./run-script.js";

/** The pages that people read, from the repository's root. */
const PAGES = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"],
  ...readdirSync(join(REPO_ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join("docs", name.replaceAll("\\", "/")))
    // A migration speaks of files that are gone.
    .filter((path) => path.endsWith(".md") && !path.startsWith("docs/migrations/")),
];

const read = (page: string): string => readFileSync(join(REPO_ROOT, page), "utf8");

/** Places of this repository that a page names in code, but for those with a part to fill in. */
function findPaths(text: string): string[] {
  const roots = "src|conformance|scripts|schema|fixtures|generated|docs|examples";
  const named = text.matchAll(new RegExp(`\`((?:${roots})/[\\w./-]+)\``, "g"));
  return [...named].map(([, path = ""]) => path);
}

/** Anchors that GitHub gives the headings of a page. */
function findAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Links of a page to places that are not there. */
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

test("there are pages, paths and links to look at", () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((page) => findPaths(read(page))).length).toBeGreaterThan(50);
});

test.each(PAGES)("%s names only places that exist", (page) => {
  const gone = findPaths(read(page)).filter((path) => !existsSync(join(REPO_ROOT, path)));
  expect(gone).toEqual([]);
});

test.each(PAGES)("the links of %s lead somewhere", (page) => {
  expect(findDeadLinks(page)).toEqual([]);
});

test.each(PAGES)("%s names only scripts that npm knows", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(page).matchAll(/\bnpm run (?:--silent |-s )?([a-z][\w:]*)/g)];
  const unknown = named.map(([, name = ""]) => name).filter((name) => !(name in scripts));
  expect(unknown).toEqual([]);
});

test("every module that a flow of ARCHITECTURE.md passes exists", () => {
  const flows = [...read("ARCHITECTURE.md").matchAll(/^```\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text,
  );
  const named = flows.flatMap((text = "") => [...text.matchAll(/\b[a-z]+(?:\/[a-z][\w-]*)+/g)]);
  const paths = named.map(([path]) => path);
  const places = ["src", "scripts", "."].flatMap((root) =>
    paths.map((path) => [path, `${root}/${path}`]),
  );
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
