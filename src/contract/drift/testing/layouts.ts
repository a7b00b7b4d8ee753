import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Artefact, CONFIG_CONFIG_VERSION, type Config } from "#generated/index.js";
import { CONFIG_FILE, packageRoot } from "../../../base/package.js";
import { Canonical } from "../canonical.js";

type Place = Pick<Artefact, "kind" | "source" | "path">;

const RECORDS: Place = {
  kind: "fixture",
  source: "fixtures/golden/data-loop/input.jsonl",
  path: "fixtures/data-loop/rollout-branches.v1.jsonl",
};
const TYPES: Place = {
  kind: "generated",
  source: "generated/typescript/rollout-wire.d.ts",
  path: "src/rollout-wire.d.ts",
};
const SCHEMA = { kind: "schema", source: "schema/rollout-wire.schema.json" } as const;

/** Where the repositories of the requirement documents hold copies of rollout-wire. */
const LAYOUTS: Readonly<Record<string, readonly Place[]>> = {
  "wasmagent-js": [
    { ...SCHEMA, path: "packages/core/src/ranking/schemas/rollout-wire.schema.json" },
    { ...TYPES, path: "packages/core/src/ranking/rollout-wire.d.ts" },
    RECORDS,
  ],
  "trace-pipeline": [
    { ...SCHEMA, path: "src/datafactory/rollout-wire.schema.json" },
    { kind: "generated", source: "generated/python/rollout_wire", path: "src/rollout_wire" },
    RECORDS,
  ],
  bscode: [TYPES, RECORDS],
  "eliza-rollout-plugin": [TYPES, RECORDS],
};

/** The copies of a repository at a version, a folder as one. Throws RangeError if it has no layout. */
export function listLayout(repository: string, version: string): Artefact[] {
  const places = LAYOUTS[repository];
  if (places === undefined) throw new RangeError(`${repository} has no layout`);
  return places.map(({ kind, ...place }) => ({ kind, schema: "rollout-wire", version, ...place }));
}

/** A configuration that lists copies. */
export function createConfig(
  repository: string,
  artefacts: Artefact[],
  rest: Partial<Config> = {},
): Config {
  return { config_version: CONFIG_CONFIG_VERSION, repository, artefacts, ...rest };
}

/** Writes the configuration of a repository into its folder, which is made if it is missing. Returns the file. */
export function writeConfiguration(folder: string, config: Config): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, CONFIG_FILE);
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
  return file;
}

/** Configures the copies of a repository, except records, at the present versions of this package. Returns the file. */
export function configurePresent(repository: string, folder: string): string {
  const canonical = new Canonical(packageRoot());
  const versionOf = (schema: string): string => canonical.presentVersion(schema) ?? "";
  const artefacts = listLayout(repository, versionOf("rollout-wire"))
    .filter(({ kind }) => kind !== "fixture")
    .flatMap((artefact) => {
      if (artefact.source !== TYPES.source) return [artefact];
      // The types import those of traces.
      const [source, path] = [artefact.source, artefact.path].map((file) =>
        file.replace("rollout-wire.d.ts", "rollout-trace.d.ts"),
      );
      const version = versionOf("rollout-trace");
      const traces = { ...artefact, schema: "rollout-trace", version };
      return [artefact, { ...traces, source: source ?? "", path: path ?? "" }];
    });
  return writeConfiguration(folder, createConfig(repository, artefacts));
}
