import { describe, expect, test } from "vitest";
import { generatedFresh } from "./generated-fresh.js";
import { useCopy } from "./testing/use-copy.js";

/** The parts of a checkout that make up its generator, and its inputs. */
const PARTS = [
  ...["conformance", "generated", "package-lock.json", "package.json", "schema"],
  ...["scripts", "src", "tsconfig.json"],
];

const SCHEMA = "schema/rollout-wire.schema.json";

describe("generated-fresh, as a script of the checkout", () => {
  const { copy, find } = useCopy(generatedFresh, PARTS);

  test("a constraint that was removed from a schema but is still in generated code", async () => {
    copy.edit(SCHEMA, (text) => text.replace(/,\s*"pattern": "[^"]*"/, ""));
    expect(await find()).toMatchObject([
      { id: "stale", message: expect.stringMatching(/; \d+ more files differ$/) },
    ]);
  });

  test("an edited file is stale", async () => {
    copy.edit("generated/typescript/index.d.ts", (text) => `${text}// ours\n`);
    expect(await find()).toMatchObject([{ id: "stale", file: "generated/typescript/index.d.ts" }]);
  });
});
