import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONFIG_FILE } from "../../src/base/package.js";
import { FIRST_LINE } from "../../src/contract/codegen/files.js";
import { generatedFresh } from "./generated-fresh.js";
import { useCopy } from "./testing/use-copy.js";

const SCHEMA = "schema/rollout-wire.schema.json";

const { copy, find } = useCopy(generatedFresh, ["schema", "generated", CONFIG_FILE]);

test("one finding for all files: the first that differs, with position and diff, and the others", async () => {
  const python = "generated/python/rollout_wire/rollout_wire.py";
  const edited = "    if not isinstance(_task, str) or len(_task) < 0:";
  copy.edit(python, (text) => text.replace(/^ +if .*len\(_task\) < 1:$/m, edited));
  rmSync(join(copy.root, "generated/typescript/index.js"));
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), `// ${FIRST_LINE}\n`);
  const findings = await find();
  expect(findings).toMatchObject([{ id: "stale", file: python, column: 1, pointer: "" }]);
  expect(findings[0]?.message).toMatch(/; 2 more files differ$/);
  expect(findings[0]?.detail).toContain("generated/typescript/index.js is missing");
  expect(findings[0]?.detail).toContain("generated/typescript/stray.js is unexpected: ");
  expect(findings[0]?.detail).toContain(`-${edited}`);
  expect(findings[0]?.detail).toContain(`+${edited.replace("0", "1")}`);
  expect(findings[0]?.line).toBeGreaterThan(1);
});

test("a schema that the generator rejects is reported with its position", async () => {
  copy.edit(SCHEMA, (text) => text.replace('"title":', '"title"'));
  expect(await find()).toMatchObject([{ id: "json", file: SCHEMA, line: 4, column: 11 }]);
});

test("a file that was not generated is none of its business, but no configuration is red", async () => {
  writeFileSync(join(copy.root, "generated/typescript/notes.js"), "// mine\n");
  expect(await find()).toEqual([]);
  rmSync(join(copy.root, CONFIG_FILE));
  expect(await find()).toMatchObject([{ id: "config", file: CONFIG_FILE }]);
});

test("a constraint that was removed from a schema but is still in generated code", async () => {
  copy.edit(SCHEMA, (text) => text.replace(/,\s*"pattern": "[^"]*"/, ""));
  expect(await find()).toMatchObject([
    { id: "stale", message: expect.stringMatching(/; \d+ more files differ$/) },
  ]);
});
