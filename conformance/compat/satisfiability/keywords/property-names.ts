import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const propertyNames: Keyword = {
  names: ["propertyNames"],
  parts: ({ at }) => [
    {
      holds: { kind: "each-name", is: at("/propertyNames", true) },
      fails: all(isType("object"), { kind: "some-name", is: at("/propertyNames", false) }),
    },
  ],
};
