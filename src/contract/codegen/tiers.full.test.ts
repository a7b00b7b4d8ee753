import { afterEach, expect, test } from "vitest";
import { copySchemas, type RepositoryCopy } from "../../base/testing/copy-repository.js";
import { generateFiles } from "./generate-files.js";
import { planOf } from "./testing/plan-of.js";

let copy: RepositoryCopy | undefined;
afterEach(() => copy?.remove());

/** The generated files of two wire schemas and two tool schemas, by path, after a change of the registry's text. */
async function generate(change?: (registry: string) => string): Promise<Map<string, string>> {
  copy = copySchemas(["rollout-trace", "rollout-wire"]);
  if (change !== undefined) copy.edit("schema/registry.json", change);
  const { files } = await generateFiles(planOf(copy.root));
  return new Map(files.map(({ path, text }) => [path, text]));
}

test("a tool schema gets its types, and nothing else", async () => {
  const files = await generate();
  const named = [...files.keys()].filter((path) => /registry|export.report/.test(path));
  expect(named.sort()).toEqual([
    "generated/typescript/export-report.d.ts",
    "generated/typescript/registry.d.ts",
    "schema/registry.json",
  ]);
  expect(files.get("generated/typescript/registry.d.ts")).toContain("export type RegisteredSchema");
  const read = (name: string): string => files.get(`generated/typescript/${name}`) ?? "";
  expect(read("reports.d.ts")).toContain('export type * from "./registry.js";');
  expect(read("reports.js")).toMatch(/^export \{\};$/m);
  const modules = ["records.js", "record-types.js", "record-validators.js"].map(read).join("");
  expect(modules).not.toMatch(/Registry|ExportReport|EXPORT_REPORT/);
  expect(read("records.js")).toContain("isRolloutBranch,");
  expect(read("record-validators.js")).toContain("isToolEvent,");
  expect(read("record-validators.js")).toContain("RolloutBranchSchema,");
  expect(files.get("generated/typescript/types.js")).toContain('"tier":"tool"');
  expect(files.get("generated/python/rollout_wire/__init__.py")).not.toMatch(
    /Registry|ExportReport/,
  );
});

test("a schema without a tier is a wire schema", async () => {
  const files = await generate((text) => text.replaceAll(/\s*"tier": "tool",/g, ""));
  for (const path of ["reference/registry.md", "python/rollout_wire/registry.py"]) {
    expect(files.has(`generated/${path}`)).toBe(true);
  }
  expect(files.get("generated/typescript/record-validators.js")).toContain("RegistrySchema");
  expect(files.get("generated/typescript/reports.d.ts")).not.toContain("registry.js");
});

test("without a wire schema there is TypeScript alone", async () => {
  const files = await generate((text) =>
    text.replaceAll('"tier": "wire"', '"tier": "tool"').replaceAll(/"loaders": \{[^}]*\},/g, ""),
  );
  const folders = new Set([...files.keys()].map((path) => path.split("/").slice(0, 2).join("/")));
  expect([...folders].sort()).toEqual([
    "generated/typescript",
    "schema/registry.json",
    "schema/released",
  ]);
  expect(files.get("generated/typescript/reports.d.ts")).toContain("rollout-wire.js");
  expect(files.get("generated/typescript/record-validators.js")).not.toContain("RolloutBranch");
});
