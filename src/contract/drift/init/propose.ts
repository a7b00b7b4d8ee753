import {
  type Artefact,
  CONFIG_CONFIG_VERSION,
  type Config,
  type FoundArtefact,
  isConfig,
  type OwnFixture,
  type OwnSchemas,
} from "#generated/index.js";
import { createFinding, type Finding } from "../../../base/findings/finding.js";
import type { Canonical } from "../canonical.js";
import { DEFAULT_SEVERITIES } from "../config.js";
import type { Survey } from "./survey.js";

/** The schemas that a repository owns, if it does. */
interface Owned {
  readonly registry: string | undefined;
  readonly schemas: OwnSchemas | undefined;
}

/**
 * The configuration that follows from what was found: whole schemas and generated code are copies, records that are no
 * copies are fixtures of the repository. Single record types and types written by hand have no original that could be
 * copied in their place, so they are not listed.
 */
export function proposeConfig(
  repository: string,
  { found, registry, schemas }: Pick<Survey, "found"> & Owned,
  canonical: Canonical,
): Config {
  const listable = found.filter(({ path }) => isListable(path));
  return {
    config_version: CONFIG_CONFIG_VERSION,
    repository,
    ...(registry !== undefined && { registry }),
    ...(schemas !== undefined && { schemas }),
    artefacts: listable.flatMap((each) => toArtefact(each, canonical)),
    fixtures: listable.flatMap(toFixture),
    severity: { ...DEFAULT_SEVERITIES },
    exclude: [],
    baseline: [],
  };
}

function toArtefact(found: FoundArtefact, canonical: Canonical): Artefact[] {
  const { kind, schema, source, path } = found;
  if (kind === "types" || source === undefined) return [];
  // Only schemas are kept in all versions.
  const present = canonical.presentVersion(schema) ?? found.version;
  return [{ kind, schema, version: kind === "schema" ? found.version : present, source, path }];
}

function toFixture({ kind, schema, version, source, path }: FoundArtefact): OwnFixture[] {
  return kind === "fixture" && source === undefined ? [{ schema, version, path }] : [];
}

/** Whether a configuration can name a file: its paths have no spaces and only ASCII. */
function isListable(path: string): boolean {
  const fixtures = [{ schema: "any", version: "0.0.0", path }];
  const named = {
    config_version: CONFIG_CONFIG_VERSION,
    repository: "any",
    artefacts: [],
    fixtures,
  };
  return isConfig(named);
}

/** Warnings about what would be part of the configuration if its path could be named there. */
export function findUnlistable(found: readonly FoundArtefact[]): Finding[] {
  return found
    .filter(({ kind, source, path }) => {
      const isWanted = kind === "fixture" || (kind !== "types" && source !== undefined);
      return isWanted && !isListable(path);
    })
    .map(({ path }) => {
      const message = `is left out: a configuration names paths of letters, digits, "_", "@", "." and "-" only: rename it`;
      const finding = createFinding({ id: "not-listed", file: path, message });
      return { ...finding, severity: "warning" };
    });
}
