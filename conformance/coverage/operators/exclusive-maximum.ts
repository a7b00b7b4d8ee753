import { createBoundOperator } from "./parts/create-bound-operator.js";

export const exclusiveMaximum = createBoundOperator(
  "exclusiveMaximum",
  "the limit itself is refused, and a number just below it is used",
);
