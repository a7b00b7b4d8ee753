import { describe, expect, test } from "vitest";
import { generatedFresh } from "./generated-fresh.js";
import { schemaLint } from "./schema-lint.js";
import { useCopy } from "./testing/use-copy.js";

/** The parts of a checkout that make up its generator, and its inputs. */
const PARTS = [
  "conformance",
  "generated",
  "package-lock.json",
  "package.json",
  "schema",
  "scripts",
  "src",
  "tsconfig.json",
];
const SCHEMA = "schema/rollout-wire.schema.json";

describe("generated-fresh", () => {
  const { copy, find } = useCopy(generatedFresh, PARTS);

  test("a generator with different output", async () => {
    copy.edit("src/contract/codegen/file-header.ts", (text) =>
      text.replace("Do not edit", "Edit at will"),
    );
    expect(await find()).toMatchObject([
      { id: "stale", message: expect.stringMatching(/; [2-9]\d more files differ$|; \d{3,} more/) },
    ]);
  });

  test("a generator that does not run is red, without a stack trace", async () => {
    copy.edit(
      "src/contract/codegen/generate-files.ts",
      (text) => `${text}\nthrow new Error("torn");\n`,
    );
    const findings = await find();
    expect(findings).toMatchObject([
      { id: "not-run", file: "conformance/checks/generated-fresh.ts", line: 1 },
    ]);
    expect(findings[0]?.message).not.toContain("    at ");
  });
});

describe("schema-lint", () => {
  const { copy, find } = useCopy(schemaLint, PARTS);

  test("a fault of a schema, and an invalid schema", async () => {
    copy.edit(SCHEMA, (text) => text.replace('"temperature": {', '"temperature": {"patern": "x",'));
    expect(await find()).toMatchObject([{ id: "keyword", file: SCHEMA }]);
    copy.edit(SCHEMA, () => "");
    expect(await find()).toMatchObject([{ id: "json", file: SCHEMA, line: 1, column: 1 }]);
  });
});
