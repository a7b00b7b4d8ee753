import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#generated/index.js";
import { Canonical } from "../../drift/canonical.js";
import { CONFIG_FILE, readTreeConfig } from "../../drift/config.js";
import { WorkingTree } from "../../drift/trees/tree.js";
import { FileFault, locateInText } from "../../findings/finding.js";
import { packageRoot } from "../../package.js";
import { UserError } from "../../user-error.js";
import type { RuleSettings } from "../../validation/profiles.js";
import { isRuleId } from "../../validation/rules/index.js";

/** What the configuration of a repository says about its records. */
export interface Configuration {
  /** Name of its file. */
  readonly file: string;
  /** Globs of files that are not searched, from the folder of the configuration. */
  readonly exclude: readonly string[];
  readonly severities: RuleSettings;
  /** Files of records, the repository's own and copied ones. */
  readonly fixtures: readonly string[];
}

/**
 * Reads the configuration in a folder; undefined if it has none. Throws UserError (exit 3), with the place, if it cannot
 * be read or is invalid.
 */
export function readConfiguration(cwd: string): Configuration | undefined {
  if (lstatSync(join(cwd, CONFIG_FILE), { throwIfNoEntry: false }) === undefined) return undefined;
  const config = readValid(new WorkingTree(".", cwd));
  const { artefacts, exclude = [], fixtures = [], severity = {} } = config;
  return {
    file: CONFIG_FILE,
    exclude,
    severities: Object.fromEntries(Object.entries(severity).filter(([id]) => isRuleId(id))),
    fixtures: [...fixtures, ...artefacts.filter(({ kind }) => kind === "fixture")].map(
      ({ path }) => path,
    ),
  };
}

function readValid(tree: WorkingTree): Config {
  try {
    const config = readTreeConfig(tree, new Canonical(packageRoot()));
    if (config !== undefined) return config;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { file, pointer = "", position, message } = error.place;
    const text = tree.read(CONFIG_FILE)?.toString("utf8") ?? "";
    const { line, column } = position ?? locateInText(text, pointer);
    const place = [`${file}:${line}:${column}`, pointer].filter((part) => part !== "").join(" ");
    throw new UserError(`${place}: ${message}`);
  }
  throw new UserError(`${CONFIG_FILE}: is no regular file`);
}
