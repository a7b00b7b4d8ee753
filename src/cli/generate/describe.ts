import { basename } from "node:path/posix";
import type { TargetName } from "#generated/index.js";
import { escapeControls, formatCount } from "../../base/text.js";
import type { Difference } from "../../contract/codegen/compare-files.js";
import type { Generation } from "../../contract/codegen/generate-files.js";
import { formatRows, type SummaryRow } from "../summary.js";

export function describeDifference(difference: Difference): string {
  if (difference.kind === "differs") return escapeLines(difference.patch);
  const path = escapeControls(difference.path);
  return difference.kind === "missing"
    ? `${path}: missing`
    : `${path}: unexpected, no schema generates it`;
}

/** A patch, without control characters that a file may have. */
function escapeLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? part : escapeControls(part)))
    .join("");
}

/** A row for what was read, one for each folder, and what changed in it. */
export function describeGeneration(
  { schemas, definitions, outputs, folders, files }: Generation,
  differences: readonly Difference[],
): string {
  const [first] = schemas;
  const named = schemas.length === 1 && first !== undefined ? first.file : undefined;
  const fields = [...definitions.values()].reduce(
    (sum, { node }) => sum + Object.keys(node.properties ?? {}).length,
    0,
  );
  const read = [
    named === undefined ? formatCount(schemas.length, "schema") : escapeControls(named),
    formatCount(definitions.size, "type"),
    formatCount(fields, "field"),
  ];
  const rows = folders.map((folder): SummaryRow => {
    const isIn = ({ path }: { readonly path: string }): boolean => path.startsWith(`${folder}/`);
    const ids = outputs.filter((output) => output.folder === folder).map(({ target }) => target);
    const changed = differences.filter(isIn);
    const removed = changed.filter(({ kind }) => kind === "unexpected").length;
    const written = changed.length - removed;
    const parts = [
      formatCount(files.filter(isIn).length, "file"),
      changed.length === 0 ? "up to date" : `${written} written`,
      ...(removed > 0 ? [`${removed} removed`] : []),
    ];
    return [labelOf(ids), `${escapeControls(folder)}/  ${parts.join(", ")}`];
  });
  return formatRows([["read", read.join(", ")], ...rows]);
}

/** The first output names a folder; what lies beside it is told by the documentation. */
function labelOf([first = "typescript"]: readonly TargetName[]): string {
  return first;
}

/** How code of the first type is imported, in each language that was written. */
export function describeImports(generation: Generation): string {
  const { outputs, schemas, definitions } = generation;
  const type = schemas.flatMap(({ entryTypes }) => entryTypes)[0] ?? [...definitions.keys()][0];
  if (type === undefined) return "";
  const folderOf = (target: TargetName): string | undefined =>
    outputs.find((output) => output.target === target)?.folder;
  const [types, guards] = [folderOf("typescript"), folderOf("validators")];
  const lines = [
    ...(types !== undefined && types === guards
      ? [
          `import { is${type}, type ${type} } from "${toModule(types)}/index.js";`,
          `if (is${type}(value)) use(value);`,
        ]
      : []),
    ...(types !== undefined && types !== guards
      ? [`import type { ${type} } from "${toModule(types)}/index.js";`]
      : []),
    ...(guards !== undefined && types !== guards
      ? [`import { is${type} } from "${toModule(guards)}/validators.js";`]
      : []),
    ...importPython(folderOf("python"), type, folderOf("pydantic")),
  ];
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** A folder as TypeScript in the root names it. */
function toModule(folder: string): string {
  const path = escapeControls(folder);
  return path.startsWith("../") || path.startsWith("/") ? path : `./${path}`;
}

/** From the root, any folder whose names Python can read is a package; but models import dataclasses by their name. */
function importPython(
  folder: string | undefined,
  type: string,
  models: string | undefined,
): string[] {
  if (folder === undefined) return [];
  const parts = folder.split("/");
  const isReachable = models === undefined && parts.every((part) => /^[A-Za-z_]\w*$/.test(part));
  const hint = `  # with ${escapeControls(parts.slice(0, -1).join("/"))} on the PYTHONPATH`;
  const name = isReachable ? parts.join(".") : basename(folder);
  return [
    `from ${name} import ${type}; ${type}.from_json(line)${isReachable ? "" : hint}`,
    ...(models === undefined
      ? []
      : [`from ${basename(models)} import ${type}; ${type}.model_validate_json(line)`]),
  ];
}
