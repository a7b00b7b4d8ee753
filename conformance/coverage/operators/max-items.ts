import { createLengthOperator } from "./create-length-operator.js";
import { resizeArray } from "./resize-array.js";

export const maxItems = createLengthOperator({
  keyword: "maxItems",
  purpose: "an array that is longer by one item is refused, and the longest one is used",
  thing: "item",
  resize: resizeArray,
});
