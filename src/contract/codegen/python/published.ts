import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, RegisteredSchema } from "#generated/index.js";
import { packageRoot } from "../../../base/package.js";
import { definitionOf, linkDefinitions } from "../../schemas/definitions.js";
import { schemaHashes } from "../../schemas/hashes.js";
import { readSchemas } from "../../schemas/load.js";
import { mapSubschemas, type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { listReleases } from "../../schemas/releases.js";
import { isLater, printVersion } from "../../schemas/version.js";
import { refsOf } from "../definitions.js";
import { headerLines, ownGenerator } from "../file-header.js";
import { type CodegenInput, type GeneratedFile, readManifest } from "../target.js";
import { docstring } from "./names.js";
import { translatePattern } from "./patterns.js";

/** The facts of the registry by which `python -m rollout_wire drift` checks a lock, without the registry. */
export function printPublished(
  path: string,
  { root, registry, ruleIds }: CodegenInput,
  files: readonly string[],
): GeneratedFile {
  const header = headerLines(ownGenerator(), []).map((line) => `# ${line}\n`);
  const lines = [
    docstring("What was published, and what each repository holds: facts of schema/registry.json."),
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any, Mapping",
    "",
    `TOOL_VERSION = ${JSON.stringify(readManifest().version)}`,
    docstring("Version of the program that generated this package."),
    "",
    "LATEST: Mapping[str, str] = {",
    ...registry.schemas.map(({ name, version }) => `    "${name}": "${version}",`),
    "}",
    docstring("The current version of each schema."),
    "",
    "SCHEMA_FILES: Mapping[str, str] = {",
    ...registry.schemas.map(({ name, file }) => `    "${name}": "${file}",`),
    "}",
    docstring("The file of each schema in the owner's repository."),
    "",
    "RULES = (",
    ...ruleIds.map((id) => `    "${id}",`),
    ")",
    docstring("Ids of the semantic rules."),
    "",
    "VERSIONS: Mapping[str, Mapping[str, Mapping[str, str]]] = {",
    ...registry.schemas.flatMap((entry) => printVersions(root, entry)),
    "}",
    docstring("The hashes of all published versions of each schema, the newest first."),
    "",
    "REPOSITORIES: Mapping[str, tuple[Mapping[str, str], ...]] = {",
    ...registry.repositories.flatMap(({ name, artefacts }) => [
      `    "${name}": (`,
      ...artefacts.flatMap(printArtefact),
      "    ),",
    ]),
    "}",
    docstring("The copies of each registered repository; a folder is one copy."),
    "",
    "FILES = (",
    ...[...files, path].sort().map((file) => `    "${file}",`),
    ")",
    docstring("The files of this package, as a copied folder of it has them."),
    "",
    "FORMATS: Mapping[str, Mapping[str, Any]] = {",
    ...printFormats(),
    "}",
    docstring(
      "What a lock and a configuration may hold; objects without additionalProperties are closed.",
    ),
    "",
  ];
  return { path, text: `${header.join("")}\n${lines.join("\n")}` };
}

function printVersions(root: string, { name, version, file }: RegisteredSchema): string[] {
  // While a version is published, its file may be there before the registry names it.
  const released = listReleases(root, name)
    .map((each) => ({ number: printVersion(each.version), path: each.file }))
    .filter(({ number }) => !isLater(number, version));
  const isReleased = released.some(({ number }) => number === version);
  const all = isReleased ? released : [{ number: version, path: file }, ...released];
  return [
    `    "${name}": {`,
    ...all.flatMap(({ number, path }) => {
      const hashes = Object.entries(schemaHashes(readFileSync(join(root, path))));
      return [
        `        "${number}": {`,
        ...hashes.map(([hash, value]) => `            "${hash}": "${value}",`),
        "        },",
      ];
    }),
    "    },",
  ];
}

/** Without its version, so that moving one repository to another version changes nothing for the others. */
function printArtefact({ kind, schema, source, path }: Artefact): string[] {
  const fields = Object.entries({ kind, schema, source, path });
  return [
    "        {",
    ...fields.map(([name, value]) => `            "${name}": ${JSON.stringify(value)},`),
    "        },",
  ];
}

/** The files that this program writes for others, and that its Python package reads. */
const READ_FORMATS = ["Lock", "Config"];

/** The definitions of these files, and those that they refer to, as `_drift_shape.py` reads them. */
function printFormats(): string[] {
  const definitions = linkDefinitions(readSchemas(packageRoot()));
  const names = new Set(READ_FORMATS);
  // The set grows while it is read.
  for (const name of names) {
    for (const ref of refsOf(definitionOf(name, definitions).node)) names.add(ref);
  }
  return [...names].map((name) => {
    const format = toFormat(definitionOf(name, definitions).node);
    // Without true, false and null, JSON is Python.
    return `    ${JSON.stringify(name)}: ${JSON.stringify(format)},`;
  });
}

/** A node with the keywords that `_drift_shape.py` knows. Throws for any other. */
function toFormat({ description: _, ...node }: SchemaNode): SchemaNode {
  const { type, pattern, additionalProperties, ...others } = mapSubschemas(node, toFormat);
  const translated = pattern === undefined ? undefined : translatePattern(pattern);
  const isMap = typeof additionalProperties === "object";
  const isKnown =
    Object.keys(others).every((keyword) => KNOWN.has(keyword)) &&
    (translated === undefined || "pattern" in translated) &&
    (others.minLength ?? 1) === 1 &&
    (type !== "object" || isMap || additionalProperties === false);
  if (!isKnown) throw new Error(`_drift_shape.py does not know ${JSON.stringify(node)}`);
  return {
    ...(type !== undefined && { type: typesOf({ type }) }),
    ...others,
    ...(translated !== undefined && "pattern" in translated && translated),
    ...(isMap && { additionalProperties }),
  };
}

const KNOWN = new Set([
  "$ref",
  "const",
  "enum",
  "minLength",
  "minItems",
  "items",
  "properties",
  "required",
]);
