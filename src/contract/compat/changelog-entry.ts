import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { toCode } from "../../base/reporters/markdown.js";
import { isSource, LENSES, type RecordLens } from "./change.js";
import { listChangedDefinitions } from "./changed-definitions.js";
import type { VersionComparison } from "./compare-versions.js";
import type { Direction, SchemaLocation } from "./schema/schema-set.js";
import { covered } from "./unmatched.js";

/** What an entry is about. Versions are numbers such as `1.1.0`; undefined where nobody has numbered them. */
export interface ChangedSchema {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Maximum width of a line of the changelog. */
const WIDTH = 120;

/**
 * The changelog entry of a change: schema and version, every changed definition and property in code, what breaks for
 * whom. A list item in Markdown that ends in a newline; the same change always gives the same text.
 */
export function printChangelogEntry(
  schema: ChangedSchema,
  names: readonly string[],
  comparison: VersionComparison,
): string {
  const isWording = comparison.changes.every(({ rule }) => rule.id.startsWith("M"));
  const itself = isWording ? "wording" : "the schema itself";
  const named = names.length === 0 ? itself : names.map(toCode).join(", ");
  return printItem(
    schema,
    comparison.bump,
    `${named}. ${describeBreaks(schema, comparison)}${describeHidden(comparison)}`,
  );
}

/** The root of each version. */
interface Roots {
  readonly old: { readonly root: SchemaLocation };
  readonly new: { readonly root: SchemaLocation };
}

/** The changelog entry of two versions that were compared; "" if nothing changed. */
export function describeChanges(
  schema: ChangedSchema,
  versions: Roots,
  comparison: VersionComparison,
): string {
  if (comparison.bump === "none") return "";
  return printChangelogEntry(schema, nameChanges(versions, comparison), comparison);
}

/** What changed in a schema, and what changed in others to which it refers, as `Type.property` or `property`. */
export function nameChanges(versions: Roots, { changes }: VersionComparison): string[] {
  const [before = {}, after = {}] = [versions.old, versions.new].map(({ root: { schema } }) =>
    isJsonObject(schema) ? schema : {},
  );
  const elsewhere = changes
    .filter(({ around, ...change }) =>
      (["old", "new"] as const).every((side) => {
        const { uri } = change[side]?.location ?? around[side];
        return uri !== versions[side].root.uri;
      }),
    )
    .map(({ types: [type = ""], path: [first], property }) =>
      [type, first === "*" ? "" : (first ?? property ?? "")]
        .filter((part) => part !== "")
        .join("."),
    );
  const names = [...listChangedNames(before, after), ...elsewhere];
  return [...new Set(names)].filter((name) => name !== "");
}

/**
 * The entry of a schema that had no version before: its record types. Only versions that have a number are published.
 */
export function printFirstEntry(schema: ChangedSchema, types: readonly string[]): string {
  const named = types.filter((type) => type !== "").map(toCode);
  const said = named.length === 0 ? "" : `${named.join(", ")}. `;
  const first = schema.to === undefined ? "A new schema." : "The first published version.";
  return printItem(schema, "minor", `${said}${first}`);
}

/** The beginning of every entry about a version. */
export function startOfEntry({ name, to }: ChangedSchema, bump: string): string {
  return `- ${toCode(name)} ${to ?? `(${bump})`}:`;
}

/** The definitions that differ, as `Type` and `Type.property`, and the properties of the document itself. */
export function listChangedNames(before: JsonObject, after: JsonObject): string[] {
  const definitions = listChangedDefinitions(before, after).flatMap(({ parts }) => parts);
  const [older, newer] = [before, after].map(toDocumentType);
  const own = listChangedDefinitions({ $defs: { "": older } }, { $defs: { "": newer } });
  const properties = own.flatMap(({ parts }) => parts).map((part) => part.replace(/^\./, ""));
  return [...new Set([...definitions, ...properties])].filter((name) => name !== "");
}

/** The part of a document that describes a type. */
function toDocumentType({ properties, required }: JsonObject): JsonObject {
  return isJsonObject(properties) ? { properties, required } : {};
}

function describeBreaks(schema: ChangedSchema, comparison: VersionComparison): string {
  const { lenses } = comparison;
  const backward = describeReaders(schema, comparison, "backward");
  const forward = describeReaders(schema, comparison, "forward");
  const first =
    forward !== undefined && lenses["declared-writer"].backward === "compatible"
      ? `${forward}, so readers move first`
      : forward;
  const records = [backward, first].filter((said) => said !== undefined).join("; ");
  const languages = LENSES.filter(isSource)
    .filter((lens) => lenses[lens].backward !== "compatible")
    .map((lens) => LANGUAGES[lens]);
  const code = `Code that uses its ${languages.join(" and ")} types must change.`;
  if (records === "" && languages.length === 0) return "Nothing breaks.";
  const said = records === "" ? "No record breaks." : `${capitalise(records)}.`;
  return languages.length === 0 ? said : `${said} ${code}`;
}

/** What the verdicts hide. */
function describeHidden({ changes }: VersionComparison): string {
  const messages = changes
    .filter(({ rule }) => rule === covered)
    .map(({ message }) => ` ${capitalise(message.replace(/^is /, ""))}.`);
  return [...new Set(messages)].join("");
}

const LANGUAGES = { typescript: "TypeScript", python: "Python" } as const;

/** Which records readers reject in one direction; undefined if they accept all. */
function describeReaders(
  { from, to }: ChangedSchema,
  comparison: VersionComparison,
  direction: Direction,
): string | undefined {
  const [reader, writer] = direction === "backward" ? [to, from] : [from, to];
  const [newer, older] = direction === "backward" ? ["new", "old"] : ["old", "new"];
  const readers = reader === undefined ? `${newer} readers` : `readers of ${reader}`;
  const records = writer === undefined ? `${older} records` : `records of ${writer}`;
  const types = (lens: RecordLens): string => listTypes(comparison, lens, direction);
  const declared = comparison.lenses["declared-writer"][direction];
  if (declared === "breaking") return `${readers} reject ${records}${types("declared-writer")}`;
  if (declared === "undecided") {
    return `whether ${readers} accept all ${records} is undecided${types("declared-writer")}`;
  }
  if (comparison.lenses.validate[direction] === "compatible") return undefined;
  return `${readers} reject ${records} only where these hold something undeclared${types("validate")}`;
}

/** The record types that break, in brackets, by their names in the version that writes them. */
function listTypes(
  { changes, entries }: VersionComparison,
  lens: RecordLens,
  direction: Direction,
): string {
  const writtenAs = (type: string): string => {
    const pair = entries.map((entry) => entry.pair).find(({ name }) => name === type);
    return direction === "backward" ? (pair?.oldName ?? type) : type;
  };
  const types = changes
    .filter(({ effects }) => effects[lens][direction].verdict !== "compatible")
    .flatMap((change) => change.types.map(writtenAs));
  const named = [...new Set(types)].filter((type) => type !== "");
  return named.length === 0 ? "" : ` (${named.map(toCode).join(", ")})`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Breaks lines between words, never within code. */
function printItem(schema: ChangedSchema, bump: string, text: string): string {
  const words = text.match(/(?:(`+)[\s\S]*?\1|[^\s`])+/g) ?? [];
  const lines = [startOfEntry(schema, bump)];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`  ${word}`);
  }
  return `${lines.join("\n")}\n`;
}
