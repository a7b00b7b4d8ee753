import { createLengthOperator } from "./parts/create-length-operator.js";
import { resizeArray } from "./parts/resize-array.js";

export const maxItems = createLengthOperator({
  keyword: "maxItems",
  purpose: "an array that is longer by one item is refused, and the longest one is used",
  thing: "item",
  resize: resizeArray,
});
