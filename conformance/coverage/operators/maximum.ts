import { createBoundOperator } from "./parts/create-bound-operator.js";

export const maximum = createBoundOperator(
  "maximum",
  "a number above the limit is refused, and the limit itself is used",
);
