import { basename } from "node:path/posix";
import {
  type Artefact,
  CONFIG_CONFIG_VERSION,
  type Config,
  type FoundArtefact,
  type OwnFixture,
} from "#generated/index.js";
import type { Canonical } from "../canonical.js";
import { DEFAULT_SEVERITIES } from "../config.js";

/**
 * The configuration that follows from what was found: whole schemas and generated code are copies, records that are no
 * copies are fixtures of the repository. Single record types and types written by hand have no original that could be
 * copied in their place, so they are not listed.
 */
export function proposeConfig(
  repository: string,
  found: readonly FoundArtefact[],
  canonical: Canonical,
): Config {
  return {
    config_version: CONFIG_CONFIG_VERSION,
    repository,
    artefacts: found.flatMap((each) => toArtefact(each, canonical)),
    fixtures: found.flatMap(toFixture),
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

/** A valid name of a repository, from a name or address. */
export function toRepositoryName(text: string): string {
  const name = basename(text.replace(/\/+$/, "")).replace(/\.git$/, "");
  return name.replaceAll(/[^\w.-]/g, "-").replace(/^\.+/, "") || "repository";
}
