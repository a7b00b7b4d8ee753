import { createBoundOperator } from "./parts/create-bound-operator.js";

export const exclusiveMinimum = createBoundOperator(
  "exclusiveMinimum",
  "the limit itself is refused, and a number just above it is used",
);
