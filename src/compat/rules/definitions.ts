import { isJsonObject } from "../../json/value.js";
import type { Place } from "../places/place.js";
import { keysOf } from "../solver/keywords/objects.js";
import { keywordChanges, type Rule } from "./rule.js";

export const definitionRenamedOrRemoved: Rule = {
  id: "F2",
  name: "definition-renamed-or-removed",
  summary: "A definition is gone, or has another name: generated code loses an exported type.",
  mend: "keep the old name as a reference to the new one",
  find({ path, old: before, new: after }) {
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
        message: "is a definition no longer",
        breaksSource: {
          typescript: "the type of that name is no longer exported",
          python: "the class of that name is no longer exported",
        },
      }));
  },
};

function definitionsOf({ anchor: { schema } }: Place): string[] {
  return isJsonObject(schema) ? keysOf(schema.$defs) : [];
}

export const dynamicReferenceChanged: Rule = {
  id: "F5",
  name: "dynamic-reference-changed",
  summary: "A reference is another one whose target depends on where it is come from.",
  mend: "use $ref: what a dynamic reference means, nobody can compare",
  find(pair) {
    return ["$dynamicRef", "$dynamicAnchor"].flatMap((keyword) => keywordChanges(pair, keyword));
  },
};
