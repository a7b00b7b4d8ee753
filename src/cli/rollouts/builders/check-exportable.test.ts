import { expect, test } from "vitest";
import { createBranch } from "../../../export/testing/create-branch.js";
import { checkExportable } from "./check-exportable.js";

test("a branch that can be exported has no fault", () => {
  expect(checkExportable(createBranch())).toEqual([]);
});

test("a number beyond doubles is an error with its place", () => {
  const branch = createBranch({ temperature: Number.POSITIVE_INFINITY });
  expect(checkExportable(branch)).toMatchObject([
    { id: "number-range", severity: "error", pointer: "/temperature" },
  ]);
});
