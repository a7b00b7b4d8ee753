import { join } from "node:path";
import { type Artefact, type Config, findErrors, isConfig } from "#generated/index.js";
import { type StagingOptions, withStaging } from "../../base/files/staging.js";
import { FileFault, type Severity } from "../../base/findings/finding.js";
import { describeFault } from "../../base/json/entry-type.js";
import { toPointerToken } from "../../base/json/pointer.js";
import { CONFIG_FILE } from "../../base/package.js";
import { suggestName } from "../../base/text.js";
import { listArtefacts } from "../schemas/artefacts.js";
import { parseJsonFile } from "../schemas/read-json-file.js";
import type { Canonical } from "./canonical.js";
import { GRADES } from "./grades.js";
import { isWithin } from "./lock.js";
import { type Meaning, readMeaning } from "./other-registry.js";
import type { Tree } from "./trees/tree.js";

/**
 * The findings whose severity a repository may set, and which it may accept, with their severity by default: the grades,
 * and what else `drift` finds out about files. An invalid lock or configuration is always an error.
 */
export const DEFAULT_SEVERITIES: Readonly<Record<string, Severity>> = {
  ...Object.fromEntries(GRADES.map((grade) => [grade, "error"])),
  // Git makes them, not people.
  "line-ends": "warning",
  unregistered: "error",
  replay: "error",
  "behind-latest": "warning",
  "not-read": "warning",
  "other-format": "warning",
  unlisted: "warning",
};

/** Their ids. */
export const CONFIGURABLE: readonly string[] = Object.keys(DEFAULT_SEVERITIES);

/**
 * The configuration in a tree; undefined if it has none. Throws as `parseJsonFile` does, and FileFault (`config`) if it
 * does not match schema/config.schema.json, or names what does not exist; entries of other registries are not judged. `ruleIds`: the semantic rules, whose
 * severity may be set too.
 */
export function readTreeConfig(
  tree: Pick<Tree, "read" | "nameOf" | "folder">,
  canonical: Canonical,
  ruleIds: readonly string[],
): Config | undefined {
  const bytes = tree.read(CONFIG_FILE);
  if (bytes === undefined) return undefined;
  const file = tree.nameOf(CONFIG_FILE);
  const { value } = parseJsonFile(bytes, file);
  const fail = (pointer: string, message: string): FileFault =>
    new FileFault({ id: "config", file, pointer, message });
  if (!isConfig(value)) {
    const errors = findErrors("Config", value);
    // Another version may lack anything.
    const error = errors.find(({ pointer }) => pointer === "/config_version") ?? errors[0];
    if (error === undefined) throw new Error("the configuration is invalid, but has no error");
    throw fail(error.pointer, describeFault(error, value));
  }
  const settable = [...CONFIGURABLE, ...ruleIds];
  const [fault] = findFaults(value, readMeaning(value, tree, canonical), { canonical, settable });
  if (fault !== undefined) throw fail(fault.pointer, fault.message);
  return value;
}

/** Writes the configuration of the repository in `folder` atomically. Throws UserError (exit 3) if it cannot. */
export async function writeConfig(
  config: Config,
  folder: string,
  options: StagingOptions = {},
): Promise<void> {
  await withStaging(options, async (staging) => {
    await staging.write(join(folder, CONFIG_FILE), [`${JSON.stringify(config, null, 2)}\n`]);
    await staging.commit();
  });
}

interface ConfigFault {
  readonly pointer: string;
  readonly message: string;
}

/** What a valid configuration says that cannot be meant. */
function findFaults(
  config: Config,
  { isHere }: Meaning,
  { canonical, settable }: { readonly canonical: Canonical; readonly settable: readonly string[] },
): ConfigFault[] {
  const { artefacts, fixtures = [], severity = {}, baseline = [] } = config;
  return [
    ...artefacts.flatMap((artefact, index) => {
      if (!isHere(artefact)) return [];
      const pointer = `/artefacts/${index}`;
      const [fault] = findUnknownVersion(artefact, pointer, canonical);
      return fault === undefined ? findUnknownSource(artefact, pointer, canonical) : [fault];
    }),
    ...fixtures.flatMap((fixture, index) =>
      isHere(fixture) ? findUnknownVersion(fixture, `/fixtures/${index}`, canonical) : [],
    ),
    ...findRepeatedPaths(config),
    ...Object.keys(severity).flatMap((id) => {
      if (settable.includes(id)) return [];
      const message = `is not a grade, finding or rule whose severity can be set${suggestName(id, settable)}`;
      return [{ pointer: `/severity/${toPointerToken(id)}`, message }];
    }),
    ...baseline.flatMap(({ id }, index) => {
      if (settable.includes(id)) return [];
      const message = `is not a finding that can be accepted${suggestName(id, settable)}`;
      return [{ pointer: `/baseline/${index}/id`, message }];
    }),
  ];
}

function findUnknownVersion(
  { schema, version }: { readonly schema: string; readonly version: string },
  pointer: string,
  canonical: Canonical,
): ConfigFault[] {
  const known = canonical.versionsOf(schema).map((each) => each.version);
  if (known.length === 0) {
    const names = canonical.registry.schemas.map(({ name }) => name);
    const message = `is not a schema of the registry${suggestName(schema, names)}`;
    return [{ pointer: `${pointer}/schema`, message }];
  }
  if (known.includes(version)) return [];
  const message = `is not a published version of ${schema}: these are ${known.join(", ")}`;
  return [{ pointer: `${pointer}/version`, message }];
}

/** A misspelt source would leave its copy unchecked. That of an older version may be gone. */
function findUnknownSource(
  artefact: Artefact,
  pointer: string,
  canonical: Canonical,
): ConfigFault[] {
  const { kind, schema, version, source } = artefact;
  const entry = canonical.registry.schemas.find(({ name }) => name === schema);
  if (kind === "schema" && source !== entry?.file) {
    return [{ pointer: `${pointer}/source`, message: `is not the schema: write ${entry?.file}` }];
  }
  if (version !== entry?.version || listArtefacts(canonical.root, artefact).length > 0) return [];
  const message = `is not a file or folder of ${canonical.name}`;
  return [{ pointer: `${pointer}/source`, message }];
}

function findRepeatedPaths({ artefacts, fixtures = [] }: Config): ConfigFault[] {
  const places = [
    ...artefacts.map(({ path }, index) => ({ path, pointer: `/artefacts/${index}/path` })),
    ...fixtures.map(({ path }, index) => ({ path, pointer: `/fixtures/${index}/path` })),
  ];
  return places.flatMap(({ path, pointer }, index) => {
    const before = places.slice(0, index);
    if (before.some((other) => other.path === path))
      return [{ pointer, message: "is listed twice" }];
    const other = before.find((each) => isWithin(path, each.path) || isWithin(each.path, path));
    return other === undefined ? [] : [{ pointer, message: `is in the place of ${other.path}` }];
  });
}
