import { createLengthOperator } from "./parts/create-length-operator.js";
import { resizeText } from "./parts/resize-text.js";

export const minLength = createLengthOperator({
  keyword: "minLength",
  purpose: "a text that is shorter by one character is refused, and the shortest one is used",
  thing: "character",
  resize: resizeText,
});
