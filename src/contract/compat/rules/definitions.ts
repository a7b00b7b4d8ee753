import { isJsonObject } from "../../../base/json/value.js";
import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import { foreignTypes } from "../entry-points.js";
import type { PlacePair } from "../places/place.js";
import type { Schema } from "../schema/subschemas.js";
import { keysOf } from "../solver/keywords/objects.js";
import type { Rule } from "./rule.js";

export const definitionRules: readonly Rule[] = [
  {
    id: "F1",
    name: "definition-added",
    summary: "A definition was added that only other schemas use.",
    fix: "update readers before any writer uses it",
    find: (pair) =>
      findMissing(pair, "new").map((found) => ({ ...found, message: "is now a definition" })),
  },
  {
    id: "F2",
    name: "definition-renamed-or-removed",
    summary:
      "A definition was renamed or removed: schemas that refer to it, and generated code, lose it.",
    fix: "keep the old name as a reference to the new one",
    find: (pair) =>
      findMissing(pair, "old").map((found) => ({
        ...found,
        message: "is no longer a definition",
        breaksSource: {
          typescript: "the type of that name is no longer exported",
          python: "the class of that name is no longer exported",
        },
      })),
  },
];

/**
 * The definitions that only one version has. Looked for once, at the root of the document. A type that its document
 * publishes is a member of its union: that is rule X1 or X2.
 */
function findMissing({ role, old: before, new: after }: PlacePair, side: "old" | "new") {
  const [own, other] =
    side === "old" ? [before.anchor, after.anchor] : [after.anchor, before.anchor];
  if (role !== "root" || own.pointer !== "" || other.pointer !== "") return [];
  const { schema } = own;
  if (!isJsonObject(schema)) return [];
  const location = { ...own, schema };
  const foreign = new Set(foreignTypes(own));
  const names = new Set(definitionsOf(other.schema).map(([, name]) => name));
  return definitionsOf(schema)
    .filter(([, name]) => !names.has(name) && (side === "old" || foreign.has(name)))
    .map(([keyword, name]) => ({
      [side]: { location, keyword, below: [name] },
      property: name,
      ...(foreign.has(name) && { member: name }),
    }));
}

function definitionsOf(schema: Schema): [keyword: string, name: string][] {
  if (typeof schema === "boolean") return [];
  return DEFINITION_KEYWORDS.flatMap((keyword) =>
    keysOf(schema[keyword]).map((name): [string, string] => [keyword, name]),
  );
}
