import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaLint } from "./schema-lint.js";
import { useCopy } from "./testing/use-copy.js";

const SCHEMA = "schema/rollout-wire.schema.json";

const { copy, find } = useCopy(schemaLint, ["schema"]);

test("all faults of a schema, each with its position", async () => {
  let line = 0;
  copy.edit(SCHEMA, (text) => {
    const at = text.indexOf('"temperature": {');
    line = text.slice(0, at).split("\n").length;
    const changed = '"temperature": {\n          "patern": "x",\n          "nullable": true,';
    return text.replace('"temperature": {', changed);
  });
  const pointer = "/$defs/RolloutBranch/properties/temperature";
  expect(await find()).toMatchObject([
    { id: "keyword", file: SCHEMA, line: line + 1, column: 21, pointer: `${pointer}/patern` },
    { id: "keyword", file: SCHEMA, line: line + 2, column: 23, pointer: `${pointer}/nullable` },
  ]);
});

test("a schema that is not JSON, and one with an external reference, are findings", async () => {
  copy.edit(SCHEMA, (text) => text.replace("#/$defs/RolloutId", "https://example.com/a.json"));
  expect(await find()).toMatchObject([
    { id: "ref", file: SCHEMA, message: expect.stringContaining("nothing is ever fetched") },
  ]);
  copy.edit(SCHEMA, () => "");
  expect(await find()).toMatchObject([{ id: "json", file: SCHEMA, line: 1, column: 1 }]);
});

test("bytes that are not UTF-8, and a repeated key", async () => {
  copy.edit(SCHEMA, (text) => text.replace('"type":', '"type": "object", "type":'));
  expect(await find()).toMatchObject([{ id: "duplicate-key", file: SCHEMA }]);
  const path = join(copy.root, SCHEMA);
  writeFileSync(path, Buffer.concat([Buffer.from('{"description": "'), Buffer.from([0xff])]));
  expect(await find()).toMatchObject([{ id: "json", file: SCHEMA, line: 1, column: 18 }]);
});
