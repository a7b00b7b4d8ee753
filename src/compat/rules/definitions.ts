import { isJsonObject } from "../../json/value.js";
import type { Place, PlacePair } from "../places/place.js";
import { keysOf } from "../solver/keywords/objects.js";
import { keywordChanges } from "./keyword-changes.js";
import type { FoundChange, Rule } from "./rule.js";

export const definitionRules: readonly Rule[] = [
  {
    id: "F2",
    name: "definition-renamed-or-removed",
    summary: "A definition was renamed or removed: generated code loses an exported type.",
    fix: "keep the old name as a reference to the new one",
    find: findRemovedDefinitions,
  },
  {
    id: "F5",
    name: "dynamic-reference-changed",
    summary: "A `$dynamicRef` changed; its target depends on the evaluation path.",
    fix: "use `$ref`; dynamic references cannot be compared",
    find: (pair) =>
      ["$dynamicRef", "$dynamicAnchor"].flatMap((keyword) => keywordChanges(pair, keyword)),
  },
];

/** Looked for once, at the root of the document. */
function findRemovedDefinitions({ path, old: before, new: after }: PlacePair): FoundChange[] {
  if (path.length > 0 || before.anchor.pointer !== "" || after.anchor.pointer !== "") return [];
  const { schema } = before.anchor;
  if (!isJsonObject(schema)) return [];
  const location = { ...before.anchor, schema };
  const names = new Set(definitionsOf(after));
  return definitionsOf(before)
    .filter((name) => !names.has(name))
    .map((name) => ({
      old: { location, keyword: "$defs", below: [name] },
      property: name,
      message: "is no longer a definition",
      breaksSource: {
        typescript: "the type of that name is no longer exported",
        python: "the class of that name is no longer exported",
      },
    }));
}

function definitionsOf({ anchor: { schema } }: Place): string[] {
  return isJsonObject(schema) ? keysOf(schema.$defs) : [];
}
