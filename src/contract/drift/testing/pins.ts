import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_CONFIG_VERSION, type Config } from "#generated/index.js";
import { CONFIG_FILE, packageRoot } from "../../../base/package.js";
import { Canonical } from "../canonical.js";

/**
 * Configures the copies of a registered repository at the present versions. Between the release of a schema and the move
 * of the repository, the registry pins older ones, whose generated code is gone. Returns the file.
 */
export function configurePresent(repository: string, folder: string): string {
  const canonical = new Canonical(packageRoot());
  const artefacts = canonical
    .registeredFor(repository)
    .filter(({ kind }) => kind !== "fixture")
    .map((each) => ({ ...each, version: canonical.presentVersion(each.schema) ?? each.version }));
  const config: Config = { config_version: CONFIG_CONFIG_VERSION, repository, artefacts };
  const file = join(folder, CONFIG_FILE);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
