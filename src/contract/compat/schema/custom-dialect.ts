import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { type Dialect, findDialect } from "./dialects.js";
import { vocabulariesOf } from "./metaschemas.js";

/** Limit on the metaschemas that are followed until one is known. */
const MAX_METASCHEMAS = 20;

/**
 * The dialect of schemas whose `$schema` is `uri`: one of the drafts, or one that a metaschema defines, which `read` returns.
 * Its `$vocabulary` says which keywords have a meaning (draft 2020-12, section 8.1.2); without one, these are those of the
 * dialect in which the metaschema is written. Undefined if that leads to no draft.
 */
export function findCustomDialect(
  uri: string,
  read: (uri: string) => unknown,
  left = MAX_METASCHEMAS,
): Dialect | undefined {
  const known = findDialect(uri);
  if (known !== undefined || left === 0) return known;
  const metaschema = read(uri);
  if (!isJsonObject(metaschema)) return undefined;
  const { $vocabulary, $schema } = metaschema;
  if (!isJsonObject($vocabulary)) return findCustomDialect(String($schema), read, left - 1);
  const [, draft = ""] =
    /json-schema\.org\/(draft\/[\d-]+)\/vocab\//.exec(JSON.stringify($vocabulary)) ?? [];
  const base = findDialect(`https://json-schema.org/${draft}/schema`);
  return base && { ...base, ...readVocabulary($vocabulary, base) };
}

/** Vocabularies that change no verdict, and the one that every dialect has. */
const PASSIVE = /\/(core|meta-data|content)$/;

/** Vocabularies of formats, which say whether `format` is an assertion. */
const FORMAT =
  /^https:\/\/json-schema\.org\/draft\/[\d-]+\/vocab\/format(-assertion|-annotation)?$/;

function readVocabulary(
  declared: JsonObject,
  base: Dialect,
): Pick<Dialect, "ignores" | "foreign" | "assertsFormat"> {
  const uris = Object.keys(declared);
  const hasFormat = uris.some((uri) => FORMAT.test(uri));
  const vocabularies = vocabulariesOf(base);
  const inactive = [...vocabularies]
    .filter(([uri]) => !PASSIVE.test(uri) && !(FORMAT.test(uri) ? hasFormat : uris.includes(uri)))
    .flatMap(([, keywords]) => keywords);
  return {
    ignores: [...base.ignores, ...inactive],
    foreign: uris.find(
      (uri) => declared[uri] === true && !vocabularies.has(uri) && !FORMAT.test(uri),
    ),
    assertsFormat: uris.some(
      (uri) =>
        uri.endsWith("/format-assertion") || (uri.endsWith("/format") && declared[uri] === true),
    ),
  };
}
