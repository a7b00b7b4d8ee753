import { declaredIn } from "../../schemas/declared.js";
import { type Definitions, definitionOf } from "../../schemas/link-definitions.js";
import type { Operator, Witness } from "./operator.js";
import { NEVER } from "./parts/never.js";
import { absent, present } from "./parts/presence.js";
import { strangersTo } from "./parts/strangers.js";

export const ref: Operator = {
  keyword: "$ref",
  purpose: "each place that refers to a definition is held to it",
  loosen(node, definitions) {
    if (node.$ref === undefined) return [];
    const { $ref, ...free } = node;
    const change = `does not hold to ${$ref}`;
    return [
      { at: ["$ref"], change, mutant: free, witnesses: strangersToTarget($ref, definitions) },
    ];
  },
  tighten(node) {
    if (node.$ref === undefined) return [];
    return [{ at: ["$ref"], change: "allows no value", mutant: NEVER, witnesses: [present] }];
  },
};

/** Values of other types; and objects without a field, where the type is demanded elsewhere too. */
function strangersToTarget($ref: string, definitions: Definitions): Witness[] {
  const { required } = declaredIn(definitionOf($ref, definitions).node, definitions);
  const lacking = required.map((name) => absent(name, "missing-%", "% is missing, but required"));
  return [...strangersTo({}, `of the type ${$ref}`), ...lacking];
}
