import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { editDistance } from "../../base/text.js";
import type { Registry } from "../schemas/registry.js";
import type { Canonical } from "./canonical.js";
import type { Holder } from "./holder.js";

/** A name of a repository that nothing else has, and the name that was probably meant. */
export interface MisspeltName {
  readonly name: string;
  /** JSON Pointer in the registry; undefined for the name of a repository. */
  readonly pointer: string | undefined;
  readonly nearest: string;
}

/** Most letters in which a misspelt name differs, and the fewest letters of a name that is judged. */
const MAX_DISTANCE = 2;
const MIN_LENGTH = 6;

/**
 * Names of owners, producers and consumers that a registry mentions once, and names of repositories that it does not
 * mention, each with one that is spelt nearly alike. Names have no list of their own: nothing else could tell.
 */
export function findMisspelt(
  { schemas }: Registry,
  repositories: readonly string[],
): MisspeltName[] {
  const mentions = schemas.flatMap(({ owner, producers, consumers }, index) => [
    { name: owner, pointer: `/schemas/${index}/owner` },
    ...producers.map((name, at) => ({ name, pointer: `/schemas/${index}/producers/${at}` })),
    ...consumers.map((name, at) => ({ name, pointer: `/schemas/${index}/consumers/${at}` })),
  ]);
  const names = mentions.map(({ name }) => name);
  const all = [...new Set([...names, ...repositories])];
  const isSingle = ({ name }: { readonly name: string }): boolean =>
    names.indexOf(name) === names.lastIndexOf(name) && !repositories.includes(name);
  const strangers = repositories
    .filter((name) => !names.includes(name))
    .map((name) => ({ name, pointer: undefined }));
  return [...mentions.filter(isSingle), ...strangers].flatMap(({ name, pointer }) => {
    const nearest = all.find((other) => other !== name && isAlike(name, other));
    return nearest === undefined ? [] : [{ name, pointer, nearest }];
  });
}

function isAlike(name: string, other: string): boolean {
  if (Math.min(name.length, other.length) < MIN_LENGTH) return false;
  return editDistance(name, other) <= MAX_DISTANCE;
}

/** Warnings about such names, in a registry and in the configurations of repositories. */
export function findMisspeltNames(holders: readonly Holder[], canonical: Canonical): Finding[] {
  // Of a registry that lacks schemas, not every mention is known.
  if (canonical.faults.length > 0) return [];
  const { registry, root, file: path, shown } = canonical;
  const configured = holders.filter(({ config }) => config !== undefined);
  const names = configured.map(({ name }) => name);
  return findMisspelt(registry, names).map(({ name, pointer, nearest }) => {
    const tree = configured.find((each) => each.name === name)?.tree;
    const place =
      pointer === undefined
        ? { file: tree?.nameOf(CONFIG_FILE) ?? name, pointer: "/repository" }
        : { file: shown, pointer };
    const bytes = pointer === undefined ? tree?.read(CONFIG_FILE) : readFileSync(join(root, path));
    const message = `is ${name}, which nothing else is called: did you mean ${nearest}?`;
    const source = bytes?.toString("utf8") ?? "";
    const finding = createFinding({ id: "unknown-name", ...place, message, source });
    return { ...finding, severity: "warning" as const };
  });
}
