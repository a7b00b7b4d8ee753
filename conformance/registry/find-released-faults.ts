import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitWithInput, tryGit } from "../../src/base/files/git.js";
import { createFinding, type FaultPlace, type Finding } from "../../src/base/findings/finding.js";
import { listJsonFiles } from "../../src/contract/schemas/artefacts.js";
import type { Registry, RegistryEntry } from "../../src/contract/schemas/registry.js";
import { atEntry, isWire, REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";
import {
  hashOf,
  RELEASED_FOLDER,
  RELEASED_HASHES_FILE,
  readReleasedFile,
  readReleasedHashes,
} from "../../src/contract/schemas/releases.js";
import { compareVersionNumbers, parseVersion } from "../../src/contract/schemas/version.js";

/**
 * Faults of the published versions in the checkout at `root`: changed or deleted files, missing hashes, and
 * versions that the registry does not list, lists out of order, lists without a file, or lists of a tool schema.
 */
export function findReleasedFaults(root: string, { schemas }: Registry): FaultPlace[] {
  const recorded = readReleasedHashes(root);
  const files = listJsonFiles(root, RELEASED_FOLDER);
  const named = new Set(schemas.flatMap(({ released }) => released));
  return [
    ...schemas.flatMap((entry, schema) => {
      const { released } = entry;
      const pointer = `/schemas/${schema}/released`;
      if (!isWire(entry)) {
        return released.length === 0 ? [] : [atEntry(schema, "released", "tier", NEVER_PUBLISHED)];
      }
      if (released.length === 0) return [atEntry(schema, "released", "unpublished", UNPUBLISHED)];
      return released
        .map((file, index) => ({ file, pointer: `${pointer}/${index}` }))
        .filter(({ file }) => !existsSync(join(root, file)))
        .map((place) => missing(place.file, REGISTRY_FILE, { pointer: place.pointer }));
    }),
    ...schemas.flatMap(findDisorder),
    ...[...recorded]
      .filter(([file]) => !existsSync(join(root, file)))
      .map(([file, { line }]) =>
        missing(file, RELEASED_HASHES_FILE, { position: { line, column: 1 } }),
      ),
    ...files.flatMap((file): FaultPlace[] => [
      ...(named.has(file) ? [] : [{ id: "unregistered", file, message: NOT_NAMED }]),
      ...findChange(root, file, recorded.get(file)?.hash),
    ]),
  ];
}

const NOT_NAMED = `is not in a list of published versions in ${REGISTRY_FILE}`;

const UNPUBLISHED = "names no published version: npm run release:schema";

const NEVER_PUBLISHED = 'must be empty: schemas of tier "tool" are not published';

/** Versions are identified, and the newest is found, by their file names. */
function findDisorder({ name, released }: RegistryEntry, schema: number): FaultPlace[] {
  return released.flatMap((file, index): FaultPlace[] => {
    const at = (message: string): FaultPlace[] => [
      atEntry(schema, `released/${index}`, "released-name", message),
    ];
    const release = readReleasedFile(file);
    if (release?.name !== name) {
      return at(`must be ${RELEASED_FOLDER}/${name}/v<version>.schema.json, such as v1.1`);
    }
    const before = readReleasedFile(released[index - 1] ?? "");
    const isLater =
      before === undefined || compareVersionNumbers(before.version, release.version) < 0;
    return isLater ? [] : at(`is not later than ${before.file}, which is listed before it`);
  });
}

function findChange(root: string, file: string, recorded: string | undefined): FaultPlace[] {
  if (recorded === undefined) {
    const message = `has no hash in ${RELEASED_HASHES_FILE} yet: npm run generate`;
    return [{ id: "released-hash", file, message }];
  }
  if (hashOf(root, file) === recorded) return [];
  const message = "was published and has changed since: restore it, and publish a new version";
  return [{ id: "released-changed", file, message }];
}

function missing(
  released: string,
  file: string,
  place: Pick<FaultPlace, "pointer" | "position">,
): FaultPlace {
  return { id: "missing-file", file, ...place, message: `names ${released}, which does not exist` };
}

const CHANGELOG = "CHANGELOG.md";

/** The git tag of a release of the package. */
const TAG = /^v(\d+\.\d+\.\d+)$/;

/** A released section of the changelog; others are marked `(unreleased)`. */
const RELEASED_SECTION = /^## (\d+\.\d+\.\d+)(?!.*\(unreleased\))/;

export interface TagFaults {
  /** The published versions in a tag. */
  readonly checked: number;
  readonly findings: readonly Finding[];
}

/**
 * Published means: in `schema/released` in the tag of a package release. Unlike the recorded hashes, a commit
 * cannot change that. A release in the changelog whose tag is missing here is a warning, because it cannot be
 * checked.
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
      : "was deleted";
    if (problem === undefined) return [];
    const message = `was published with ${tag} and ${problem}: git restore --source ${tag} ${file}`;
    return [createFinding({ id: "released-changed", file, message })];
  });
  return { checked: published.size, findings: [...findings, ...findMissingTags(root, tags)] };
}

/** Oldest version first; empty outside of git. */
function listTags(root: string): string[] {
  const listed = tryGit(root, "tag", "--list", "v*")?.toString("utf8") ?? "";
  const versionOf = (tag: string) => parseVersion(tag.slice(1));
  return listed
    .split("\n")
    .filter((tag) => TAG.test(tag))
    .sort((one, other) => compareVersionNumbers(versionOf(one), versionOf(other)));
}

/** The published versions in a tag, by path from `root`. */
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
    const message = `the tag v${version} is missing, so its published versions were not checked (git fetch --tags)`;
    const position = { line: index + 1, column: 1 };
    const finding = createFinding({ id: "not-checked", file: CHANGELOG, position, message });
    return [{ ...finding, severity: "warning" }];
  });
}
