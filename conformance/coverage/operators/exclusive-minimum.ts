import { createBoundOperator } from "./create-bound-operator.js";

export const exclusiveMinimum = createBoundOperator(
  "exclusiveMinimum",
  "the limit itself is refused, and a number just above it is used",
);
