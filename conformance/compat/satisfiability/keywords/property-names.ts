import { all, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";

export const propertyNames: Keyword = {
  names: ["propertyNames"],
  holds: ({ at }) => [{ kind: "each-name", is: at("/propertyNames", true) }],
  fails: ({ at }) => [
    all(isType("object"), { kind: "some-name", is: at("/propertyNames", false) }),
  ],
};
