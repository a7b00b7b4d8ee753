import canonicalize from "canonicalize";
import type { JsonObject } from "../../../src/records/json-object.js";
import { childOf } from "../schema-set.js";
import { isAnnotation } from "./annotations.js";
import { ALWAYS, all, any, type Formula, type Literal, NEVER } from "./formula.js";
import { keywords } from "./keywords/index.js";
import type { KeywordContext } from "./keywords/keyword.js";

const understood = new Set(keywords.flatMap(({ names }) => names));

/** Whether a keyword may mean something that nobody here knows. */
export function isUnknownKeyword(keyword: string): boolean {
  return !understood.has(keyword) && !isAnnotation(keyword);
}

/** What it means for a value that a schema holds, or that it does not; the same object for the same schema. */
export function meaningOf(literal: Literal): Formula {
  const { location, holds } = literal;
  const { schema } = location;
  if (typeof schema === "boolean") return schema === holds ? ALWAYS : NEVER;
  const known = meanings[holds ? "holds" : "fails"];
  const meaning = known.get(schema) ?? makeMeaning(schema, literal);
  known.set(schema, meaning);
  return meaning;
}

const meanings = { holds: new WeakMap<object, Formula>(), fails: new WeakMap<object, Formula>() };

function makeMeaning(schema: JsonObject, { location, holds }: Literal): Formula {
  const context: KeywordContext = {
    schema,
    location,
    at: (pointer, holds) => ({ kind: "schema", location: childOf(location, pointer), holds }),
  };
  const present = keywords.filter(({ names }) => names.some((name) => Object.hasOwn(schema, name)));
  const parts = present.flatMap((keyword) =>
    holds ? keyword.holds(context) : keyword.fails(context),
  );
  const opaque = Object.entries(schema)
    .filter(([keyword]) => isUnknownKeyword(keyword))
    .map(([keyword, value]): Formula => {
      // What `$dynamicRef` means depends on where it is come from.
      const what = keyword.startsWith("$") ? undefined : `${keyword} ${canonicalize(value)}`;
      return { kind: "opaque", what, holds };
    });
  return holds ? all(...parts, ...opaque) : any(...parts, ...opaque);
}
