import { groupBy } from "../../../base/group-by.js";
import { pointerTokens } from "../../../base/json/pointer.js";
import {
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../schemas/keywords.js";
import { moduleName, snakeCase } from "../python/names.js";

/** Names that the generated modules use themselves, in TypeScript or in Python. */
const TAKEN_TYPES: ReadonlySet<string> = new Set(
  (
    "Any Invalid Iterator Iterable JsonValue Literal Mapping Record Type Unset UNSET DEFINITIONS WireError WireFault " +
    "None True False Definitions DefinitionName EntryTypeName ValidationError Readonly StandardSchemaV1 " +
    "Array Promise Partial Exclude Extract " +
    "BaseModel Callable ClassVar Dict Exception Field Final Generic List Optional Path Protocol Self Sequence Tuple " +
    "TypeError TypeVar Union ValueError"
  ).split(" "),
);

/** Modules of the generated TypeScript whose names a schema may not have. */
const TAKEN_MODULES: ReadonlySet<string> = new Set(
  (
    "features index record-types record-validators records redaction reports schemas shapes types validators " +
    "runtime typing json re"
  ).split(" "),
);

/** Longest title that names a type: beyond it, it is a sentence. */
const MAX_TITLE = 40;

/** Names a file for its module: lower-case words with hyphens. `schemas/aep/Fork_v2.schema.json` is `fork-v2`. */
export function nameFiles(
  paths: readonly string[],
  given: readonly (string | undefined)[],
): string[] {
  const words = paths.map((path) => path.replace(/(\.schema)?\.(json|ya?ml)$/, "").split("/"));
  const own = words.map((each, index) => given[index] ?? toKebab(each.slice(-1)));
  const groups = groupBy(own.keys(), (index) => own[index]);
  const used = new Set<string>();
  return own.map((name, index) => {
    const isAlone = groups.get(name)?.length === 1;
    // A version alone says nothing, and neither does a name that several folders have.
    const isPlain = isAlone && !/^v?\d/.test(name);
    const chosen = isPlain ? name : toKebab((words[index] ?? []).slice(-2));
    return makeUnique(
      TAKEN_MODULES.has(chosen) || moduleName(chosen) !== chosen.replaceAll("-", "_")
        ? `${chosen}-schema`
        : chosen,
      used,
      (text) => text,
      "-",
    );
  });
}

function toKebab(words: readonly string[]): string {
  const text = snakeCase(toAscii(words.join("-"))).replaceAll(/[^a-z0-9]+/g, "-");
  const name = text.replaceAll(/^-+|-+$/g, "");
  return /^[a-z]/.test(name) ? name : `schema-${name}`.replace(/-$/, "");
}

/** A schema that needs a name. */
export interface Nameable {
  /** Name of its file, as `nameFiles` gives it. */
  readonly file: string;
  /** JSON Pointer in the file. */
  readonly pointer: string;
  readonly title: unknown;
}

/**
 * Names types in PascalCase: after their key among definitions; a whole file by its title or after the file; any other part
 * after its place. All differ, also in Python's lower case: names that several files have begin with that of the file, and
 * what is still equal ends in a number. A name that generated code uses itself ends in `_`.
 */
export function nameTypes(types: readonly Nameable[]): string[] {
  const own = types.map(toName);
  const groups = groupBy(own.keys(), (index) => snakeCase(own[index] ?? ""));
  const apart = types.map(({ file, pointer }, index) => {
    const name = own[index] ?? "";
    const group = groups.get(snakeCase(name)) ?? [];
    const isShared = group.some((other) => types[other]?.file !== file);
    const prefix = toPascal(file);
    return isShared && pointer !== "" && !name.startsWith(prefix) ? prefix + name : name;
  });
  const counts = groupBy(apart, snakeCase);
  const used = new Set<string>();
  const isAlone = (name: string): boolean => counts.get(snakeCase(name))?.length === 1;
  // What nobody else is called keeps its name, and no number makes another one equal to it.
  for (const name of apart.filter(isAlone)) used.add(snakeCase(name));
  return apart.map((name) => (isAlone(name) ? name : makeUnique(name, used, snakeCase)));
}

function toName({ file, pointer, title }: Nameable): string {
  const name = toPascal(wordsOf({ file, pointer, title }));
  return TAKEN_TYPES.has(name) ? `${name}_` : name;
}

function wordsOf({ file, pointer, title }: Nameable): string {
  const tokens = pointerTokens(pointer);
  const [last] = tokens.slice(-1);
  if (last === undefined) {
    const isName = typeof title === "string" && /^[\w -]+$/.test(title) && /[A-Za-z]/.test(title);
    return isName && title.length <= MAX_TITLE ? title : file;
  }
  const container = tokens.at(-2) ?? "";
  const isKnown = (keyword: string): boolean =>
    [...LIST_APPLICATORS, ...MAP_APPLICATORS, ...SINGLE_APPLICATORS].includes(keyword);
  // Below a keyword that nobody knows, as in `components/schemas`, a key is a name as among definitions.
  if (DEFINITION_KEYWORDS.includes(container)) return last;
  if (!isKnown(container) && !isKnown(last)) return last;
  const isMember = MAP_APPLICATORS.includes(container);
  const around = pointer
    .split("/")
    .slice(0, isMember ? -2 : -1)
    .join("/");
  const step = last === "items" ? "item" : last;
  return `${wordsOf({ file, pointer: around, title: undefined })} ${step}`;
}

/** `tool-event` is ToolEvent, `JSONRPCRequest` stays; what does not begin with a letter begins with Schema. */
export function toPascal(text: string): string {
  const words = toAscii(text).match(/[A-Za-z0-9]+/g) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(name) ? name : `Schema${name}`;
}

/** Letters without their marks. */
function toAscii(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

/** The name, with a number if it is used; it is used afterwards. */
function makeUnique(
  name: string,
  used: Set<string>,
  keyOf: (name: string) => string,
  joint = "",
): string {
  let free = name;
  for (let count = 2; used.has(keyOf(free)); count += 1) free = `${name}${joint}${count}`;
  used.add(keyOf(free));
  return free;
}
