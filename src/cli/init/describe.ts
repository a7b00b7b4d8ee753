import type { Config, FoundArtefact, FoundType } from "#generated/index.js";
import { alignColumns, escapeControls, formatCount, formatNumber } from "../../base/text.js";
import type { Canonical } from "../../contract/drift/canonical.js";

const TITLES: Readonly<Record<FoundArtefact["kind"], string>> = {
  schema: "schemas",
  generated: "generated code",
  types: "types by hand",
  fixture: "fixtures",
};

/** The registry of the schemas that the repository owns, if it has one. */
export function describeOwned(path: string | undefined, { registry }: Canonical): string {
  if (path === undefined) return "";
  const count = formatCount(registry.schemas.length, "schema");
  return `registry\n  ${escapeControls(path)}  ${count}, of which this repository is the owner\n`;
}

/** The schemas that are not registered, and where code of all goes. */
export function describeOutputs({ registry, schemas }: Config): string {
  if (schemas === undefined) return "";
  const rows = schemas.outputs.map(({ target, folder }) => [target, `${escapeControls(folder)}/`]);
  const sources = schemas.sources.filter((source) => source !== registry).map(escapeControls);
  const lines = ["generated code", ...alignColumns(rows).map((line) => `  ${line.trimEnd()}`)];
  const listed = sources.length === 0 ? [] : ["own schemas", ...sources.map((each) => `  ${each}`)];
  return [...listed, ...lines].map((line) => `${line}\n`).join("");
}

/** What was found, in a table for each kind. */
export function describeFound(found: readonly FoundArtefact[]): string {
  const kinds = Object.keys(TITLES).flatMap((kind) => {
    const rows = found.filter((each) => each.kind === kind);
    return rows.length === 0 ? [] : [rows];
  });
  const widths = columnWidths(found);
  const lines = kinds.flatMap((rows) => [
    rows[0] === undefined ? "" : TITLES[rows[0].kind],
    ...alignColumns(rows.map(toCells), { minWidths: widths }).map((line) => `  ${line.trimEnd()}`),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function columnWidths(found: readonly FoundArtefact[]): number[] {
  const rows = found.map(toCells);
  return [0, 1].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
}

function toCells(found: FoundArtefact): string[] {
  const { kind, path, files, schema, version, types } = found;
  const place = files === undefined ? path : `${path}/ (${formatCount(files, "file")})`;
  const [type] = kind === "schema" ? types : [];
  const original = `${type === undefined ? "" : `${type.name} of `}${schema} ${version}`;
  return [escapeControls(place), original, escapeControls(describe(found))];
}

function describe(found: FoundArtefact): string {
  const { kind, types, grade, similarity, difference } = found;
  if (kind === "fixture") {
    return [...types.map(describeRecords), ...describeFaults(found)].join(", ");
  }
  if (kind === "types") return types.map(describeType).join("; ");
  if (grade === undefined) return "no schema, or one in the text of a program or page";
  if (difference === undefined) return grade;
  const likeness = similarity === undefined ? "" : `, similarity ${similarity.toFixed(2)}`;
  return `${grade}${likeness}: ${difference}`;
}

function describeRecords({ name, records = 0, invalid = 0 }: FoundType): string {
  const faults = invalid === 0 ? "" : `, ${formatNumber(invalid)} of them invalid`;
  return `${formatNumber(records)} ${name}${faults}`;
}

/** What `validate` finds in the file; only what the schema says, if nothing else is known. */
function describeFaults({ types, errors, warnings = 0, grade }: FoundArtefact): string[] {
  const isValid = types.every(({ invalid }) => invalid === 0);
  const counts = [
    ...(errors ? [formatCount(errors, "error")] : []),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ];
  return [...(isValid && !errors ? ["valid"] : []), ...counts, ...(grade ? [grade] : [])];
}

/** Limit on the fields that are named. */
const MAX_FIELDS = 5;

function describeType({ name, shared = 0, missing = [], other = [] }: FoundType): string {
  const total = shared + missing.length;
  const parts = [
    `${name} has ${shared} of ${formatCount(total, "field")}`,
    ...(missing.length > 0 ? [`lacks ${listFields(missing)}`] : []),
    ...(other.length > 0 ? [`adds ${listFields(other)}`] : []),
  ];
  return parts.join(", ");
}

function listFields(names: readonly string[]): string {
  const left = names.length - MAX_FIELDS;
  return [...names.slice(0, MAX_FIELDS), ...(left > 0 ? [`${left} more`] : [])].join(", ");
}
