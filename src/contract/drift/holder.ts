import type { Artefact, Config, Lock, OwnFixture } from "#generated/index.js";
import { createFinding, FileFault, type Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import type { Canonical } from "./canonical.js";
import { readTreeConfig } from "./config.js";
import { findLocked, LOCK_FILE, readTreeLock } from "./lock.js";
import type { Tree } from "./trees/tree.js";

/** A repository that holds copies, and what it must hold. */
export interface Holder {
  /** As its configuration, the registry or its lock calls it. */
  readonly name: string;
  readonly tree: Tree;
  /** Undefined if it has none, or an invalid one. */
  readonly config: Config | undefined;
  readonly lock: Lock | undefined;
  /** Its copies as its configuration or the registry lists them: a folder is one copy. */
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
 * Opens the repository in a tree. Its configuration says what it holds; without one, the registry does, except for
 * fixtures that were never copied: these are its own. `name` is by default that of its configuration or lock.
 * Undefined if nothing names it.
 */
export function openHolder(
  tree: Tree,
  { canonical, ruleIds }: HolderContext,
  name?: string,
): Holder | undefined {
  const readConfig = tryToRead(tree, CONFIG_FILE, () => readTreeConfig(tree, canonical, ruleIds));
  const readLock = tryToRead(tree, LOCK_FILE, () => readTreeLock(tree));
  const [config, lock] = [readConfig.value, readLock.value];
  const faults = [...readConfig.faults, ...findOtherName(tree, config, name), ...readLock.faults];
  const known = name ?? config?.repository ?? lock?.repository;
  if (known === undefined && faults.length === 0) return undefined;
  const { registered, fixtures } = listDemanded(known, { config, lock, canonical });
  return {
    name: known ?? tree.name,
    tree,
    config,
    lock,
    registered,
    artefacts: registered.flatMap((artefact) => canonical.filesOf(artefact, lock)),
    fixtures,
    faults,
  };
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

interface DemandContext {
  readonly config: Config | undefined;
  readonly lock: Lock | undefined;
  readonly canonical: Canonical;
}

/** What a repository must hold, and its own records. */
function listDemanded(
  name: string | undefined,
  { config, lock, canonical }: DemandContext,
): Pick<Holder, "registered" | "fixtures"> {
  if (config !== undefined) {
    return { registered: config.artefacts, fixtures: config.fixtures ?? [] };
  }
  const listed = name === undefined ? [] : canonical.registeredFor(name);
  const isCopied = ({ kind, path }: Artefact): boolean =>
    kind !== "fixture" || findLocked(lock, path) !== undefined;
  return {
    registered: listed.filter(isCopied),
    fixtures: listed
      .filter((artefact) => !isCopied(artefact))
      .map(({ schema, version, path }) => ({ schema, version, path })),
  };
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
