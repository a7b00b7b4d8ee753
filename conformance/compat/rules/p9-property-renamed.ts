import { requiredNames } from "../places/objects.js";
import type { Place } from "../places/place.js";
import { any, type Formula } from "../satisfiability/formula.js";
import { type PropertyChange, rejectedByAny, renamedProperties } from "./parts/properties.js";
import { lacks, someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const propertyRenamed: Rule = {
  id: "P9",
  name: "property-renamed",
  summary: "A property has another name.",
  mend: "keep both names for a version, the old one deprecated",
  find(pair) {
    return renamedProperties(pair).map(({ from, to }) => ({
      old: from.at,
      new: to.at,
      property: to.name,
      message: `was called ${JSON.stringify(from.name)}`,
      violates: {
        backward: violationOf(pair.new, { declared: to, gone: from }),
        forward: violationOf(pair.old, { declared: from, gone: to }),
      },
      breaksSource: {
        typescript: `code that names ${JSON.stringify(from.name)} no longer compiles`,
        python: `code that names ${JSON.stringify(from.name)} fails with an AttributeError`,
      },
    }));
  },
};

/** What a reader rejects that declares one name and not the other. */
function violationOf(
  reader: Place,
  { declared, gone }: { readonly declared: PropertyChange; readonly gone: PropertyChange },
): Formula {
  const isRequired = requiredNames(reader).has(declared.name);
  return any(
    ...(isRequired ? [lacks(declared.name)] : []),
    someProperty({ only: [gone.name] }, rejectedByAny(gone.others)),
    someProperty({ only: [declared.name] }, rejectedByAny(declared.schemas)),
  );
}
