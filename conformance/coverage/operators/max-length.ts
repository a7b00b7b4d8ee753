import { createLengthOperator } from "./parts/create-length-operator.js";
import { resizeText } from "./parts/resize-text.js";

export const maxLength = createLengthOperator({
  keyword: "maxLength",
  purpose: "a text that is longer by one character is refused, and the longest one is used",
  thing: "character",
  resize: resizeText,
});
