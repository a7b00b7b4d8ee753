import type { Artefact, Config, Lock, OwnFixture } from "#generated/index.js";
import { tryGit } from "../../base/files/git.js";
import { createFinding, FileFault, type Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import type { Canonical } from "./canonical.js";
import { readTreeConfig } from "./config.js";
import { LOCK_FILE, readTreeLock } from "./lock.js";
import { type ConfigEntry, readMeaning } from "./other-registry.js";
import { MAX_SIZE } from "./scan/forks.js";
import type { Tree } from "./trees/tree.js";

/** A repository that holds copies, and what it must hold. */
export interface Holder {
  /** As its configuration or its lock calls it, or its address or folder. */
  readonly name: string;
  readonly tree: Tree;
  /** Undefined if it has none, or an invalid one. */
  readonly config: Config | undefined;
  readonly lock: Lock | undefined;
  /** What its configuration lists of other registries. It is not examined. */
  readonly elsewhere: readonly ConfigEntry[];
  /** Whether its configuration means the registry of this run alone. */
  readonly isWhole: boolean;
  /** Its copies as its configuration lists them: a folder is one copy. */
  readonly registered: readonly Artefact[];
  /** The same file by file. */
  readonly artefacts: readonly Artefact[];
  /** Records of its own, which are no copies. */
  readonly fixtures: readonly OwnFixture[];
  /** Errors of its configuration and its lock. */
  readonly faults: readonly Finding[];
}

/** What a repository is read with. */
export interface HolderContext {
  readonly canonical: Canonical;
  /** The semantic rules, whose severity its configuration may set. */
  readonly ruleIds: readonly string[];
}

/**
 * Opens the repository in a tree. Its configuration says what it holds; without one, nothing does, and its files are
 * searched. `name` is by default that of its configuration or lock, else of its git remote, else of its folder.
 */
export function openHolder(
  tree: Tree,
  { canonical, ruleIds }: HolderContext,
  name?: string,
): Holder {
  const readConfig = tryToRead(tree, CONFIG_FILE, () => readTreeConfig(tree, canonical, ruleIds));
  const readLock = tryToRead(tree, LOCK_FILE, () => readTreeLock(tree));
  const [config, lock] = [readConfig.value, readLock.value];
  const { isWhole, isHere } = readMeaning(config ?? {}, tree, canonical);
  const { artefacts = [], fixtures = [] } = config ?? {};
  const registered = artefacts.filter(isHere);
  return {
    name: name ?? config?.repository ?? lock?.repository ?? findRepositoryName(tree),
    tree,
    config,
    lock,
    elsewhere: [...artefacts, ...fixtures].filter((entry) => !isHere(entry)),
    isWhole,
    registered,
    artefacts: registered.flatMap((artefact) => canonical.filesOf(artefact, lock)),
    fixtures: fixtures.filter(isHere),
    faults: [...readConfig.faults, ...findOtherName(tree, config, name), ...readLock.faults],
  };
}

/** A valid name of a repository, from its git remote, such as `git@host:name.git`, or from its folder. */
function findRepositoryName({ name, folder }: Tree): string {
  const remote = folder && tryGit(folder, "remote", "get-url", "origin")?.toString("utf8").trim();
  const [last = ""] = (remote || folder || name)
    .replace(/#[^#]*$/, "")
    .replace(/\/+$/, "")
    .split(/[/:\\]/)
    .slice(-1);
  const plain = last.replace(/\.git$/, "").replaceAll(/[^\w.-]/g, "-");
  return plain.replace(/^[.-]+/, "") || "repository";
}

function findOtherName(
  tree: Tree,
  config: Config | undefined,
  name: string | undefined,
): Finding[] {
  if (config === undefined || name === undefined || config.repository === name) return [];
  const message = `is ${config.repository}, but the repository was named ${name}`;
  const file = tree.nameOf(CONFIG_FILE);
  const source = tree.read(CONFIG_FILE)?.toString("utf8") ?? "";
  return [createFinding({ id: "config", file, pointer: "/repository", message, source })];
}

/** A link that leads nowhere, or a folder, would pass for a repository without the file. */
function findOddFile(tree: Tree, file: string): Finding | undefined {
  const bytes = tree.read(file);
  if (bytes === undefined ? !tree.has(file) : bytes.length <= MAX_SIZE) return undefined;
  const is = bytes === undefined ? "is not a regular file" : "is too large";
  const id = file === CONFIG_FILE ? "config" : "lock";
  return createFinding({ id, file: tree.nameOf(file), message: `${is}: ${FIXES[file]}` });
}

const FIXES: Readonly<Record<string, string>> = {
  [CONFIG_FILE]: "correct it",
  [LOCK_FILE]: "restore it from git, or rewrite it with sync --force",
};

interface Read<T> {
  readonly value: T | undefined;
  readonly faults: readonly Finding[];
}

/** An invalid file is a finding, with its place and fix. */
function tryToRead<T>(tree: Tree, file: string, read: () => T | undefined): Read<T> {
  const fault = findOddFile(tree, file);
  if (fault !== undefined) return { value: undefined, faults: [fault] };
  try {
    return { value: read(), faults: [] };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { place } = error;
    const source = tree.read(file)?.toString("utf8");
    const message = `${place.message}: ${FIXES[file]}`;
    const finding = createFinding({ ...place, message, ...(source !== undefined && { source }) });
    return { value: undefined, faults: [finding] };
  }
}
