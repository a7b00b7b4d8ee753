import { basename, dirname } from "node:path/posix";
import type { OwnSchemas, TargetName } from "#generated/index.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import { packageName } from "../../codegen/python/names.js";
import { createSearchFilter, type Tree } from "../trees/tree.js";

/** Larger files, in bytes, are data. */
const MAX_SIZE = 2 ** 22;

/** Folders whose schemas are examples, or somebody else's. */
const NOT_OWN =
  /(?:^|\/)(?:tests?|testdata|fixtures?|examples?|samples|vendor|third_party|dist|build|generated|out)\//;

/** Keywords of which the root of a schema has one. */
const KEYWORDS = [
  "properties",
  "$defs",
  "definitions",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "enum",
  "type",
];

/**
 * The schemas that a repository owns, and the code that it can use: in the languages that it has, or in both. Its registry
 * lists them, or they lie in folders. `known`: files that are copies and forks of other schemas; a folder with these alone
 * holds none of its own. Undefined if there are none.
 */
export function proposeSchemas(
  tree: Tree,
  repository: string,
  { registry, known }: { readonly registry: string | undefined; readonly known: readonly string[] },
): OwnSchemas | undefined {
  const files = tree.files();
  const sources = registry === undefined ? listSources(tree, known) : [registry];
  if (sources.length === 0) return undefined;
  const has = (...names: readonly string[]): boolean =>
    files.some(({ path }) => names.includes(path));
  const projects = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];
  const isPython = has(...projects);
  const isTypescript = has("package.json", "tsconfig.json") || !isPython;
  const texts = projects.map((path) => tree.read(path)?.toString("utf8") ?? "");
  const hasPydantic = texts.some((text) => /(?:^|["'])pydantic\b/m.test(text));
  const project = /^name\s*=\s*["']([\w.-]+)["']/m.exec(texts[0] ?? "")?.[1] ?? repository;
  const name = `generated/python/${packageName(project)}_schemas`;
  const folders: readonly (readonly [TargetName, string])[] = [
    ...(isTypescript
      ? ([
          ["typescript", "generated/typescript"],
          ["validators", "generated/typescript"],
        ] as const)
      : []),
    ...(isPython || !has("package.json", "tsconfig.json") ? ([["python", name]] as const) : []),
    ...(hasPydantic ? ([["pydantic", `${name}_pydantic`]] as const) : []),
  ];
  return { sources, outputs: folders.map(([target, folder]) => ({ target, folder })) };
}

/** A pattern for each folder that has schemas of its own; the names of those in the root. */
function listSources(tree: Tree, known: readonly string[]): string[] {
  const isSearched = createSearchFilter(tree, []);
  const candidates = tree
    .files()
    .filter(({ path, size }) => path.endsWith(".json") && size <= MAX_SIZE && isSearched(path))
    .map(({ path }) => path)
    .filter((path) => !NOT_OWN.test(path));
  const own: string[] = [];
  for (const [path, bytes] of tree.readMany(candidates)) {
    if (!known.includes(path) && isSchema(path, bytes?.toString("utf8") ?? "")) own.push(path);
  }
  const sources = own.map((path) => {
    const ending = path.endsWith(".schema.json") ? ".schema.json" : ".json";
    // Other files of JSON lie beside package.json, and beside schemas that are named like them.
    return ending === ".json" || dirname(path) === "." ? path : `${dirname(path)}/*${ending}`;
  });
  return [...new Set(sources)].sort();
}

function isSchema(path: string, text: string): boolean {
  if (!path.endsWith(".schema.json") && !text.includes("json-schema.org/")) return false;
  const value = tryParseJson(text.replace(/^\ufeff/, ""));
  if (!isJsonObject(value) || Array.isArray(value.schemas)) return false;
  const isNamed =
    basename(path).endsWith(".schema.json") || /json-schema\.org\//.test(String(value.$schema));
  return isNamed && KEYWORDS.some((keyword) => Object.hasOwn(value, keyword));
}
