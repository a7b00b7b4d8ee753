import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import { compareVersions } from "../compare-versions.js";
import { kindOf } from "../entry-points.js";
import { loadVersion } from "../load-version.js";
import type { Direction, SchemaLocation } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";

/** Two versions of a schema, and the correct verdicts. */
export interface Pair extends Readonly<Record<Direction, Verdict>> {
  readonly id: string;
  readonly old: Schema;
  readonly new: Schema;
  /** JSON Pointer, after `#`, of the type to be compared. Default: the whole document. */
  readonly old_type?: string;
  readonly new_type?: string;
  /** Path of the document in its folder. */
  readonly path?: string;
  /** The other files of the folder, by path. */
  readonly old_files?: Readonly<Record<string, Schema>>;
  readonly new_files?: Readonly<Record<string, Schema>>;
}

export type Verdict = "compatible" | "breaking" | "undecided";

/** One version of a pair. */
interface PairSide {
  readonly schema: Schema;
  readonly path: string;
  readonly files: Readonly<Record<string, Schema>>;
  /** Without `#`. */
  readonly type: string | undefined;
}

function sideOf(pair: Pair, side: "old" | "new"): PairSide {
  return {
    schema: pair[side],
    path: pair.path ?? "record.json",
    files: pair[`${side}_files`] ?? {},
    type: pair[`${side}_type`]?.replace(/^#/, ""),
  };
}

/** A verdict of `diff`. */
export interface Ruling {
  /** `undecided` includes pairs that cannot be read. */
  readonly verdict: Verdict;
  /** For a break: whether its record is valid in the writer's version and not in the reader's; undefined without one. */
  readonly isProven?: boolean | undefined;
  /**
   * Whether a checker that compares whole documents must give the same verdict: `diff` compares each type by itself, so
   * its record may break a type but not the document.
   */
  readonly isOfWhole: boolean;
}

export type Rulings = Readonly<Record<Direction, Ruling>>;

/** The comparison that `diff` prints, by the lens `validate`. */
export function judgePair(pair: Pair): Rulings {
  const loaded = tryToLoad(pair);
  if (loaded === undefined) return { backward: REFUSED, forward: REFUSED };
  const [before, after] = loaded;
  const comparison = compareVersions(before, after);
  const roots = { old: before, new: after };
  const isOfWhole = !Object.values(roots).map(kindOf).includes("collection");
  const ruling = (direction: Direction): Ruling => {
    const verdict = comparison[direction];
    const [writer, reader] =
      direction === "backward" ? (["old", "new"] as const) : (["new", "old"] as const);
    const proof = comparison.decisive.find(
      ({ [direction]: containment }) => containment.verdict === "breaking",
    );
    if (verdict !== "breaking" || proof === undefined) return { verdict, isOfWhole };
    const { [direction]: containment, pair: compared } = proof;
    if (containment.verdict !== "breaking") return { verdict, isOfWhole };
    const isBreak = (at: (side: "old" | "new") => SchemaLocation): boolean =>
      isValidAt(sideOf(pair, writer), at(writer), containment.witness) &&
      !isValidAt(sideOf(pair, reader), at(reader), containment.witness);
    return {
      verdict,
      isProven: isBreak((side) => compared[side] ?? compared.instead),
      isOfWhole: isOfWhole && isBreak((side) => roots[side]),
    };
  };
  return { backward: ruling("backward"), forward: ruling("forward") };
}

const REFUSED: Ruling = { verdict: "undecided", isOfWhole: true };

function tryToLoad(pair: Pair): readonly [SchemaLocation, SchemaLocation] | undefined {
  try {
    return [load(sideOf(pair, "old")), load(sideOf(pair, "new"))];
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function load({ schema, path, files, type }: PairSide): SchemaLocation {
  const read = (file: string): string | undefined =>
    Object.hasOwn(files, file) ? JSON.stringify(files[file]) : undefined;
  const source = {
    name: path,
    text: JSON.stringify(schema),
    others: [],
    files: { path, roots: [], read },
    fragment: type,
  };
  return loadVersion(source, "annotate", { toleratesFaults: true }).root;
}

/** Validates with Ajv of the schema's own dialect, compiled for this one value from the original files. */
function isValidAt({ schema, path, files }: PairSide, at: SchemaLocation, value: unknown): boolean {
  if (at.schema === false) return false;
  const ajv = createAjv(schema);
  const { $id: id = path } = Object(schema);
  const $id = new URL(id, "schema:/").href;
  for (const [name, file] of Object.entries(files)) {
    const { $id: _, ...content } = Object(file);
    // The endings that a reference may omit.
    for (const ending of ["", ".json", ".schema.json"]) {
      if (!name.endsWith(ending)) continue;
      const reference = relativeTo(path, name.slice(0, name.length - ending.length));
      ajv.addSchema(structuredClone(content), new URL(reference, $id).href);
    }
  }
  const copy = isDraft07(schema) ? withoutSiblings(schema) : structuredClone(schema);
  // Ajv does not resolve the document's own `$id`.
  const document = copy === true ? true : { ...Object(copy), $id };
  const isWhole = at.pointer === "" && (at.uri === $id || at.uri === "schema:/");
  if (isWhole && Object.keys(files).length === 0) return ajv.compile(document)(value) === true;
  ajv.addSchema(document, $id);
  const uri = at.uri === "schema:/" ? $id : at.uri;
  return ajv.compile({ $ref: isWhole ? $id : `${uri}#${at.pointer}` })(value) === true;
}

function relativeTo(path: string, name: string): string {
  return "../".repeat(path.split("/").length - 1) + name;
}

function createAjv(schema: Schema): Ajv {
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
  } as const;
  const dialect = String(Object(schema).$schema ?? "");
  if (dialect.includes("2019-09")) return new Ajv2019(options);
  return isDraft07(schema) ? new Ajv(options) : new Ajv2020(options);
}

function isDraft07(schema: Schema): boolean {
  return /draft-0[67]/.test(String(Object(schema).$schema));
}

/** Ajv applies keywords beside a `$ref`, which draft-07 ignores. */
function withoutSiblings(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (!isJsonObject(value) || typeof value.$ref !== "string") return value;
    const { $ref, definitions } = value;
    return { $ref, definitions };
  });
}
