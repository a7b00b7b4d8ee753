import { createLengthOperator } from "./create-length-operator.js";
import { resizeText } from "./resize-text.js";

export const maxLength = createLengthOperator({
  keyword: "maxLength",
  purpose: "a text that is longer by one character is refused, and the longest one is used",
  thing: "character",
  resize: resizeText,
});
