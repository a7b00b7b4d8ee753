import { createLengthOperator } from "./parts/create-length-operator.js";
import { resizeArray } from "./parts/resize-array.js";

export const minItems = createLengthOperator({
  keyword: "minItems",
  purpose: "an array that is shorter by one item is refused, and the shortest one is used",
  thing: "item",
  resize: resizeArray,
});
