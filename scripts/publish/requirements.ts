import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git, tryGit } from "../../src/base/files/git.js";
import { findPlaceholders } from "../../src/base/package.js";
import { formatCount, today } from "../../src/base/text.js";
import { CHANGELOG, findUnreleased, readChangelog, readSection } from "../release/changelog.js";
import type { Publisher } from "./publisher.js";
import { findRepositoryNames } from "./repository-names.js";

/** The checkout whose packages are about to be published. */
export interface Checkout {
  readonly root: string;
  readonly publisher: Publisher;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether nothing will be published, so that the tag may still be missing. */
  readonly isRehearsal: boolean;
}

/** What must hold before the packages are published. */
export interface Requirement {
  readonly id: string;
  readonly purpose: string;
  /** What is missing, and what to do: one line each. */
  find(checkout: Checkout): string[];
}

/** The Python package that does not take its version from package.json. */
const SPARK_PROJECT = "integrations/spark/pyproject.toml";

const placeholders: Requirement = {
  id: "placeholders",
  purpose: "package.json names author and repository, and every page the same repository.",
  find({ root, publisher }) {
    const { author, repository } = publisher;
    const missing = [
      { pointer: "/author/name", value: author, write: "the name of the author" },
      {
        pointer: "/repository/url",
        value: repository,
        write: "its address, such as git+https://github.com/jane/rollout-wire.git",
      },
    ].filter(({ value }) => findPlaceholders(value).length > 0);
    const pages = findRepositoryNames(root).filter(({ page }) => page !== repository);
    return [
      ...missing.map(
        ({ pointer, value, write }) => `package.json: ${pointer} is ${value}: write ${write}`,
      ),
      ...pages.map(
        ({ place, page }) => `${place} names ${page}: write ${repository}, as package.json says`,
      ),
    ];
  },
};

const repository: Requirement = {
  id: "repository",
  purpose: "The workflow runs in the repository of package.json, as provenance demands.",
  find({ publisher, env }) {
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
    if (name === undefined || publisher.repository === `${server}/${name}`) return [];
    return [
      `package.json: /repository/url is ${publisher.repository}, but this is ${server}/${name}: correct it`,
    ];
  },
};

const committed: Requirement = {
  id: "committed",
  purpose: "What is published is committed.",
  find({ root }) {
    const changed = git(root, "status", "--porcelain").toString("utf8").trimEnd();
    if (changed === "") return [];
    const [first = "", ...others] = changed.split("\n");
    const more = others.length === 0 ? "" : ` and ${formatCount(others.length, "more file")}`;
    return [`not committed: ${first.slice(3)}${more}; commit or restore what has changed`];
  },
};

const tag: Requirement = {
  id: "tag",
  purpose: "The commit has the tag of the version, and no tag of another one.",
  find({ root, publisher: { version }, isRehearsal }) {
    const own = `v${version}`;
    const listed = git(root, "tag", "--points-at", "HEAD", "v*").toString("utf8");
    const tags = listed.split("\n").slice(0, -1);
    const others = tags.filter((name) => name !== own);
    if (others.length > 0) {
      const named = others.join(", ");
      return [`${named} is no tag of ${version}, the version of package.json: change one of them`];
    }
    if (tags.includes(own)) return [];
    if (tryGit(root, "rev-parse", "--verify", "--quiet", `refs/tags/${own}`) !== undefined) {
      return [`the tag ${own} is that of another commit: raise the version in package.json`];
    }
    return isRehearsal ? [] : [`the commit has no tag: git tag ${own}`];
  },
};

const changelog: Requirement = {
  id: "changelog",
  purpose: "The changelog has a section for the version, which becomes the notes of the release.",
  find({ root, publisher: { version } }) {
    const text = readChangelog(root);
    if (readSection(text, version) !== undefined) return [];
    const heading = `## ${version} (${today()})`;
    const line = findUnreleased(text);
    if (text.split("\n")[line]?.startsWith(`## ${version} `)) {
      return [`${CHANGELOG}:${line + 1} says (unreleased): make it "${heading}"`];
    }
    return [`${CHANGELOG} has no section with text for ${version}: write one, "${heading}"`];
  },
};

const versions: Requirement = {
  id: "versions",
  purpose: "npm's lock file and the package for Spark have the version of package.json.",
  find({ root, publisher: { version } }) {
    const lock: { version?: unknown } = JSON.parse(readText(root, "package-lock.json") ?? "{}");
    const [, spark] = /^version = "(.*)"$/m.exec(readText(root, SPARK_PROJECT) ?? "") ?? [];
    return [
      { file: "package-lock.json", found: lock.version, fix: "npm install --package-lock-only" },
      { file: SPARK_PROJECT, found: spark, fix: "write that version" },
    ].flatMap(({ file, found, fix }) =>
      found === version
        ? []
        : [`${file} has version ${found ?? "none"}, package.json ${version}: ${fix}`],
    );
  },
};

function readText(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

export const REQUIREMENTS: readonly Requirement[] = [
  placeholders,
  repository,
  versions,
  changelog,
  committed,
  tag,
];
