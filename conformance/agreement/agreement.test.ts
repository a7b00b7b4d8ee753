import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import type { Adapter } from "./adapter.js";
import { findUnusedDifferences } from "./agreement.js";
import { knownDifferences } from "./known-differences.js";

const adapter: Adapter = { id: "jsonschema", command: "", args: [], file: "", processes: 1 };
const rest = { disagreements: [], known: 0, verdictsAlone: 0 };

test("an unused exception is an error in its own file", () => {
  const used = new Set(knownDifferences.filter(({ id }) => id !== "trailing-newline"));
  const findings = findUnusedDifferences([{ adapter, ...rest, used }]);
  expect(findings).toMatchObject([
    {
      id: "known-difference",
      severity: "error",
      file: "conformance/agreement/known-differences.ts",
      message: "jsonschema no longer differs in trailing-newline: remove the exception",
    },
  ]);
  expect(findings.filter(({ file }) => !existsSync(join(packageRoot(), file)))).toEqual([]);
});

test("exceptions of an implementation that was not compared are ignored", () => {
  const used = new Set(knownDifferences.filter((known) => known.adapter === "jsonschema"));
  expect(findUnusedDifferences([{ adapter, ...rest, used }])).toEqual([]);
});
