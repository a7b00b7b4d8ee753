import { join, resolve } from "node:path";
import type { Artefact, Config, OwnFixture, Registry } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE, packageRoot } from "../../base/package.js";
import { findNearest, formatCount } from "../../base/text.js";
import { readRegistry } from "../schemas/registry.js";
import { listIds } from "../schemas/schema-id.js";
import { type Canonical, isSamePath } from "./canonical.js";
import { openCanonical } from "./open-canonical.js";
import { tryToLoad } from "./records/record-types.js";
import type { Tree } from "./trees/tree.js";

/** A line of a configuration that names a schema. */
export type ConfigEntry = Artefact | OwnFixture;

/** What a configuration means by the names of schemas. */
export interface Meaning {
  /** Whether all of it means the registry of this run. */
  readonly isWhole: boolean;
  /** Whether an entry does. */
  readonly isHere: (entry: ConfigEntry) => boolean;
}

const WHOLE: Meaning = { isWhole: true, isHere: () => true };

/**
 * Without a registry, a configuration means that of this package, unless the user named another one; or, with names that
 * this package does not have, that of this run. With one, its schemas are those of this run that have the same `$id`.
 */
export function readMeaning(
  { registry }: Pick<Config, "registry">,
  { folder }: Pick<Tree, "folder">,
  canonical: Canonical,
): Meaning {
  const own = canonical.registry;
  if (registry === undefined) {
    if (canonical.isOwn) return WHOLE;
    const ours = readRegistry(packageRoot());
    return canonical.isNamed
      ? { isWhole: true, isHere: (entry) => knows(own, entry) || !knows(ours, entry) }
      : { isWhole: false, isHere: (entry) => knows(own, entry) && !isSource(ours, entry) };
  }
  const file = folder && resolve(folder, registry);
  if (file !== undefined && isSamePath(file, join(canonical.root, canonical.file))) return WHOLE;
  const other = folder && tryToLoad(() => openCanonical(registry, folder));
  if (!other) return canonical.isNamed ? WHOLE : { isWhole: false, isHere: () => false };
  const isHere = ({ schema }: ConfigEntry): boolean => {
    const there = other.registry.schemas.find(({ name }) => name === schema);
    const here = own.schemas.find(({ name }) => name === schema);
    return there !== undefined && here !== undefined && listIds(here).includes(there.id);
  };
  return { isWhole: false, isHere };
}

function knows({ schemas }: Registry, { schema }: ConfigEntry): boolean {
  return schemas.some(({ name }) => name === schema);
}

/** Whether a registry has the schema, and in that file. */
function isSource({ schemas }: Registry, entry: ConfigEntry): boolean {
  const file = "kind" in entry && entry.kind === "schema" ? entry.source : undefined;
  return schemas.some((each) => each.name === entry.schema && (file ?? each.file) === each.file);
}

/** A warning about what a configuration lists of other registries. */
export function toElsewhere(
  { artefacts, fixtures = [] }: Config,
  elsewhere: readonly ConfigEntry[],
  tree: Tree,
  canonical: Canonical,
): Finding[] {
  const [first] = elsewhere;
  if (first === undefined) return [];
  const index = [...artefacts, ...fixtures].indexOf(first);
  const after = index - artefacts.length;
  const pointer = after < 0 ? `/artefacts/${index}` : `/fixtures/${after}`;
  const known = canonical.registry.schemas.map(({ name }) => name);
  const names = [...new Set(elsewhere.map(({ schema }) => schema))].map((name) => {
    const nearest = known.includes(name) ? undefined : findNearest(name, known);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  const message = `lists ${formatCount(elsewhere.length, "file")} of schemas of another registry than that of ${canonical.name}: ${names.join(", ")}; they were not examined here: run drift in that repository`;
  const source = tree.read(CONFIG_FILE)?.toString("utf8") ?? "";
  const file = tree.nameOf(CONFIG_FILE);
  const finding = createFinding({ id: "other-registry", file, pointer, message, source });
  return [{ ...finding, severity: "warning" }];
}
