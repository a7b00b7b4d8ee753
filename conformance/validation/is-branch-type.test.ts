import { expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { declaredIn } from "../schemas/declared.js";
import { linkDefinitions } from "../schemas/link-definitions.js";
import { readSchemas } from "../schemas/read-schemas.js";
import { BRANCH_TYPES, isBranchType } from "./is-branch-type.js";

test("the types of branches are the schemas' entry types that require a branch_index", () => {
  const schemas = readSchemas(HOME);
  const definitions = linkDefinitions(schemas);
  const branchTypes = [...definitions.values()]
    .filter(({ name, schema }) => schema.entryTypes.includes(name))
    .filter(({ node }) => declaredIn(node, definitions).required.includes("branch_index"))
    .map(({ name }) => name);
  expect(branchTypes.toSorted()).toEqual(BRANCH_TYPES.toSorted());
  expect(branchTypes.every(isBranchType)).toBe(true);
  expect(isBranchType("PpoRecord")).toBe(false);
});
