import { inheritedBy } from "../../schemas/declared.js";
import type { Change, Operator } from "./operator.js";
import { absent } from "./parts/presence.js";

export const required: Operator = {
  keyword: "required",
  purpose: "each required field is demanded, and each optional one may be absent",
  loosen(node, definitions) {
    const members = node.required ?? [];
    const inherited = inheritedBy(node, definitions).required;
    return members.map((name, index): Change => {
      const at = ["required", String(index)];
      const change = `does not require ${JSON.stringify(name)}`;
      if (inherited.includes(name)) return { at, change, reason: INHERITED };
      const mutant = { ...node, required: members.filter((other) => other !== name) };
      const witness = absent(name, "missing-%", "% is missing, but required");
      return { at, change, mutant, witnesses: [witness] };
    });
  },
  tighten(node, definitions) {
    const members = node.required ?? [];
    const inherited = inheritedBy(node, definitions).required;
    const optional = Object.keys(node.properties ?? {}).filter((name) => !members.includes(name));
    return optional.map((name): Change => {
      const at = ["properties", name];
      const change = `requires ${JSON.stringify(name)}`;
      if (inherited.includes(name)) return { at, change, reason: INHERITED };
      const mutant = { ...node, required: [...members, name] };
      const witness = absent(name, "without-%", "% is absent, for it is optional");
      return { at, change, mutant, witnesses: [witness] };
    });
  },
};

const INHERITED = "a type that this one extends requires it already";
