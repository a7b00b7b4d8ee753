import { createBoundOperator } from "./parts/create-bound-operator.js";

export const minimum = createBoundOperator(
  "minimum",
  "a number below the limit is refused, and the limit itself is used",
);
