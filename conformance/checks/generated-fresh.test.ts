import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedFresh } from "./generated-fresh.js";
import { useCopy } from "./testing/use-copy.js";

const SCHEMA = "schema/rollout-wire.schema.json";

const { copy, find } = useCopy(generatedFresh);

test("green on the repository as it is", async () => {
  const { checked, findings } = await generatedFresh.run(copy.root);
  expect(findings).toEqual([]);
  expect(checked).toMatchObject([{ thing: "file" }, { thing: "schema" }]);
  expect(checked[0]?.count).toBeGreaterThan(20);
});

test("a constraint that was taken out of a schema, where it still is in generated code", async () => {
  copy.edit(SCHEMA, (text) => text.replace(/,\s*"pattern": "[^"]*"/, ""));
  const findings = await find();
  expect(findings.every(({ id }) => id === "stale")).toBe(true);
  const files = findings.map(({ file }) => file);
  expect(files).toContain("generated/typescript/validators.js");
  expect(files).toContain("generated/python/rollout_wire/rollout_wire.py");
});

test("an edited file, at the line, with the lines; a missing and an unexpected one", async () => {
  const python = "generated/python/rollout_wire/rollout_wire.py";
  const edited = "    if not isinstance(_task, str) or len(_task) < 0:";
  copy.edit(python, (text) => text.replace(/^ +if .*len\(_task\) < 1:$/m, edited));
  rmSync(join(copy.root, "generated/typescript/index.js"));
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), "");
  const findings = await find();
  expect(findings).toMatchObject([
    { id: "stale", file: python, column: 1, pointer: "" },
    { id: "missing", file: "generated/typescript/index.js" },
    { id: "unexpected", file: "generated/typescript/stray.js" },
  ]);
  expect(findings[0]?.detail).toContain(`-${edited}`);
  expect(findings[0]?.detail).toContain(`+${edited.replace("0", "1")}`);
  expect(findings[0]?.line).toBeGreaterThan(1);
});

test("a generator that prints otherwise", async () => {
  copy.edit("scripts/codegen/file-header.ts", (text) =>
    text.replace("Do not edit", "Edit at will"),
  );
  expect((await find()).length).toBeGreaterThan(20);
});

test("a schema that cannot be generated from is told with its place", async () => {
  copy.edit(SCHEMA, (text) => text.replace('"title":', '"title"'));
  expect(await find()).toMatchObject([{ id: "json", file: SCHEMA, line: 4, column: 11 }]);
});

test("a generator that does not run is red, without a trace", async () => {
  copy.edit("scripts/codegen/generate-files.ts", (text) => `${text}\nthrow new Error("torn");\n`);
  const findings = await find();
  expect(findings).toMatchObject([
    { id: "not-run", file: "conformance/checks/generated-fresh.ts", line: 1 },
  ]);
  expect(findings[0]?.message).not.toContain("    at ");
});
