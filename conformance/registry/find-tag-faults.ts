import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitWithInput, tryGit } from "../../src/files/git.js";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { RELEASED_FOLDER } from "../../src/schemas/releases.js";
import { compareVersionNumbers, parseVersion } from "../../src/schemas/version.js";

const CHANGELOG = "CHANGELOG.md";

/** A tag of a release of the package. */
const TAG = /^v(\d+\.\d+\.\d+)$/;

/** A released section of the changelog; one that is not says `(unreleased)`. */
const RELEASED_SECTION = /^## (\d+\.\d+\.\d+)(?!.*\(unreleased\))/;

export interface TagFaults {
  /** Published versions that a tag holds. */
  readonly checked: number;
  readonly findings: readonly Finding[];
}

/**
 * What was published is what the package held when it was released: the files of `schema/released` in its tags. No
 * change of the checkout can move those, as it can the recorded hashes. A release by the changelog whose tag is not
 * at hand is a warning: of it nothing is checked.
 */
export function findTagFaults(root: string): TagFaults {
  const tags = listTags(root);
  const published = new Map<string, { readonly tag: string; readonly blob: string }>();
  for (const tag of tags) {
    for (const [file, blob] of listBlobs(root, tag)) {
      if (!published.has(file)) published.set(file, { tag, blob });
    }
  }
  const findings = [...published].flatMap(([file, { tag, blob }]): Finding[] => {
    const problem = existsSync(join(root, file))
      ? blobOf(root, file) === blob
        ? undefined
        : "has changed since"
      : "is gone";
    if (problem === undefined) return [];
    const message = `was published with ${tag} and ${problem}: git restore --source ${tag} ${file}`;
    return [createFinding({ id: "released-changed", file, message })];
  });
  return { checked: published.size, findings: [...findings, ...findMissingTags(root, tags)] };
}

/** From the oldest version on; none outside of git. */
function listTags(root: string): string[] {
  const listed = tryGit(root, "tag", "--list", "v*")?.toString("utf8") ?? "";
  const versionOf = (tag: string) => parseVersion(tag.slice(1));
  return listed
    .split("\n")
    .filter((tag) => TAG.test(tag))
    .sort((one, other) => compareVersionNumbers(versionOf(one), versionOf(other)));
}

/** The published versions that a tag holds, by their paths from `root`. */
function listBlobs(root: string, tag: string): [file: string, blob: string][] {
  const listed = tryGit(root, "ls-tree", "-r", "-z", `refs/tags/${tag}`, "--", RELEASED_FOLDER);
  return (listed?.toString("utf8") ?? "").split("\0").flatMap((entry) => {
    // `<mode> blob <object>`, a tab, and the path.
    const [about = "", file = ""] = entry.split("\t");
    return file.endsWith(".json") ? [[file, about.split(" ")[2] ?? ""]] : [];
  });
}

function blobOf(root: string, file: string): string {
  const text = readFileSync(join(root, file), "utf8");
  return gitWithInput(root, text, "hash-object", "--stdin").toString("utf8").trim();
}

function findMissingTags(root: string, tags: readonly string[]): Finding[] {
  const path = join(root, CHANGELOG);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.flatMap((text, index): Finding[] => {
    const version = RELEASED_SECTION.exec(text)?.[1];
    if (version === undefined || tags.includes(`v${version}`)) return [];
    const message = `the tag v${version} is not at hand: whether what it published has changed was not checked (git fetch --tags)`;
    const position = { line: index + 1, column: 1 };
    const finding = createFinding({ id: "not-checked", file: CHANGELOG, position, message });
    return [{ ...finding, severity: "warning" }];
  });
}
