import { lstatSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config, KnownDifference, OwnFixture } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { displayName, toReadError } from "../../base/files/source.js";
import type { AcceptedPlace } from "../../base/findings/accepted.js";
import { FileFault, locateInText } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { today } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import type { Canonical } from "../../contract/drift/canonical.js";
import type { RuleSettings } from "../../rollouts/wire/validation/profiles.js";
import { isRuleId, ruleIds } from "../../rollouts/wire/validation/rules/index.js";

/** What the configuration of a repository says about its records. */
export interface Configuration {
  /** Name of its file. */
  readonly file: string;
  /** Globs of files that are not searched, from the folder of the configuration. */
  readonly exclude: readonly string[];
  readonly severities: RuleSettings;
  /** Files of records, the repository's own and copied ones. */
  readonly fixtures: readonly OwnFixture[];
  /** The schemas that it means. */
  readonly canonical: Canonical;
  /** Known findings, from `drift --accept`. */
  readonly baseline: readonly KnownDifference[];
}

/**
 * Reads the configuration in a folder; undefined if it has none. Throws UserError (exit 3), with the place, if it cannot
 * be read or is invalid.
 */
export async function readConfiguration(cwd: string): Promise<Configuration | undefined> {
  const bytes = readBytes(join(cwd, CONFIG_FILE));
  if (bytes === undefined) return undefined;
  const { config, canonical } = await readValid(bytes, cwd);
  if (config === undefined) return undefined;
  const { artefacts, exclude = [], fixtures = [], severity = {}, baseline = [] } = config;
  return {
    file: CONFIG_FILE,
    exclude,
    severities: Object.fromEntries(Object.entries(severity).filter(([id]) => isRuleId(id))),
    fixtures: [...fixtures, ...artefacts.filter(({ kind }) => kind === "fixture")],
    canonical,
    baseline,
  };
}

/**
 * The places in the input files whose findings the baseline accepts: as `drift`, until the file changes or the day is
 * over. `files` are as the user named them.
 */
export function listAccepted(
  { baseline }: Configuration,
  files: readonly string[],
  cwd: string,
): AcceptedPlace[] {
  return baseline.flatMap(({ id, file, pointer = "", hash, expires }) => {
    const path = resolve(cwd, file);
    const named = files.filter((each) => resolve(cwd, each) === path);
    if (named.length === 0 || expires < today()) return [];
    const bytes = readBytes(path);
    if (bytes === undefined || sha256(bytes) !== hash) return [];
    // A record that a schema rejects has the keyword for its id here.
    const known = isRuleId(id) ? id : undefined;
    if (known === undefined && id !== "replay") return [];
    return named.map((each) => ({ file: displayName(each), id: known, pointer }));
  });
}

/** Undefined if there is no such file. */
function readBytes(path: string): Buffer | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    // A pipe would never end.
    if (statSync(path).isFile()) return readFileSync(path);
  } catch (error) {
    throw toReadError(CONFIG_FILE, error);
  }
  throw new UserError(`${CONFIG_FILE}: is no regular file`);
}

interface ValidConfig {
  readonly config: Config | undefined;
  readonly canonical: Canonical;
}

async function readValid(bytes: Buffer, folder: string): Promise<ValidConfig> {
  // Lazy, because few folders have a configuration.
  const { readTreeConfig } = await import("../../contract/drift/config.js");
  const { openCanonical } = await import("../../contract/drift/open-canonical.js");
  try {
    const canonical = openCanonical(undefined, folder);
    const tree = { nameOf: (path: string) => path, read: () => bytes, folder };
    return { config: readTreeConfig(tree, canonical, ruleIds), canonical };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { file, pointer = "", position, message } = error.place;
    const { line, column } = position ?? locateInText(bytes.toString("utf8"), pointer);
    const place = [`${file}:${line}:${column}`, pointer].filter((part) => part !== "").join(" ");
    throw new UserError(`${place}: ${message}`);
  }
}
