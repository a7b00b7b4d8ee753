import { declaredProperties } from "../places/objects.js";
import type { Place } from "../places/place.js";
import type { Rule } from "./rule.js";

export const reservedName: Rule = {
  id: "P10",
  name: "reserved-name",
  summary: "A reserved name (x-reserved) is used again, or reserved no longer.",
  mend: "choose another name: old records may hold the reserved one with another meaning",
  find({ old: before, new: after }) {
    const reserved = new Set(reservedNames(after));
    const declared = declaredProperties(after);
    return reservedNames(before).flatMap((name) => {
      if (declared.has(name))
        return [{ property: name, message: "was reserved, and is used again" }];
      return reserved.has(name) ? [] : [{ property: name, message: "is reserved no longer" }];
    });
  },
};

function reservedNames(place: Place): string[] {
  return place
    .occurrences("x-reserved")
    .flatMap(({ value }) => (Array.isArray(value) ? value : []))
    .filter((name) => typeof name === "string");
}
