import { expect, test } from "vitest";
import { createThreeVersions } from "../../src/contract/migrate/testing/three-versions.js";
import { REPO_ROOT } from "../run-script.js";
import { findUpcasters, library } from "./library.js";

test("the library holds the upcasters of a checkout, without their tests", () => {
  const versions = createThreeVersions();
  versions.write("schema/upcasters/order-v1-v2.test.ts", "");
  expect(findUpcasters(versions.root).sort()).toEqual([
    "schema/upcasters/order-v1-v2",
    "schema/upcasters/order-v2-v3",
  ]);
  versions.remove();
  expect(Object.keys(library.input)).toEqual(
    expect.arrayContaining(["src/index", ...findUpcasters(REPO_ROOT)]),
  );
});
