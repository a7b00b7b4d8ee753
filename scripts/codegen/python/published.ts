import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, RegisteredSchema } from "#generated/index.js";
import { schemaHashes } from "../../../src/schemas/hashes.js";
import { listReleases } from "../../../src/schemas/releases.js";
import { printVersion } from "../../../src/schemas/version.js";
import { headerLines, ownGenerator } from "../file-header.js";
import { type CodegenInput, type GeneratedFile, readManifest } from "../target.js";
import { docstring } from "./names.js";

/** The facts of the registry by which `python -m rollout_wire drift` checks a lock, without the registry. */
export function printPublished(
  path: string,
  { root, registry }: CodegenInput,
  files: readonly string[],
): GeneratedFile {
  const header = headerLines(ownGenerator(), []).map((line) => `# ${line}\n`);
  const lines = [
    docstring("What was published, and what each repository holds: facts of schema/registry.json."),
    "",
    "from __future__ import annotations",
    "",
    "from typing import Mapping",
    "",
    "from .registry import Artefact, SchemaHashes",
    "",
    `TOOL_VERSION = ${JSON.stringify(readManifest().version)}`,
    docstring("Version of the program that generated this package."),
    "",
    "LATEST: Mapping[str, str] = {",
    ...registry.schemas.map(({ name, version }) => `    "${name}": "${version}",`),
    "}",
    docstring("The current version of each schema."),
    "",
    "VERSIONS: Mapping[str, Mapping[str, SchemaHashes]] = {",
    ...registry.schemas.flatMap((entry) => printVersions(root, entry)),
    "}",
    docstring("The hashes of all published versions of each schema, the newest first."),
    "",
    "REPOSITORIES: Mapping[str, tuple[Artefact, ...]] = {",
    ...registry.repositories.flatMap(({ name, artefacts }) => [
      `    "${name}": (`,
      ...artefacts.flatMap(printArtefact),
      "    ),",
    ]),
    "}",
    docstring("The copies of each registered repository: a folder is one copy."),
    "",
    "FILES = (",
    ...[...files, path].sort().map((file) => `    "${file}",`),
    ")",
    docstring("The files of this package, as a copied folder of it has them."),
    "",
  ];
  return { path, text: `${header.join("")}\n${lines.join("\n")}` };
}

function printVersions(root: string, { name, version, file }: RegisteredSchema): string[] {
  const released = listReleases(root, name).map((each) => ({
    number: printVersion(each.version),
    path: each.file,
  }));
  const isReleased = released.some(({ number }) => number === version);
  const all = isReleased ? released : [{ number: version, path: file }, ...released];
  return [
    `    "${name}": {`,
    ...all
      .filter(({ path }) => existsSync(join(root, path)))
      .flatMap(({ number, path }) => {
        const hashes = Object.entries(schemaHashes(readFileSync(join(root, path))));
        return [
          `        "${number}": SchemaHashes(`,
          ...hashes.map(([hash, value]) => `            ${hash}="${value}",`),
          "        ),",
        ];
      }),
    "    },",
  ];
}

function printArtefact({ kind, schema, version, source, path }: Artefact): string[] {
  const fields = Object.entries({ kind, schema, version, source, path });
  return [
    "        Artefact(",
    ...fields.map(([name, value]) => `            ${name}=${JSON.stringify(value)},`),
    "        ),",
  ];
}
