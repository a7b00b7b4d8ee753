import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OwnFixture } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

function configure(fixture: Omit<OwnFixture, "path">, rest: Record<string, unknown> = {}): void {
  const config = { config_version: "config/v1", repository: "mine", artefacts: [] };
  const fixtures = [{ ...fixture, path: "records.jsonl" }];
  folder.write("rollout-wire.config.json", JSON.stringify({ ...config, fixtures, ...rest }));
}

function write(...records: unknown[]): void {
  const lines = records.map((record) =>
    typeof record === "string" ? record : JSON.stringify(record),
  );
  folder.write("records.jsonl", `${lines.join("\n")}\n`);
}

/** The exit codes of `validate` and `drift`, and the places that `validate` names. */
async function judge() {
  const validated = await folder.run(["validate", "--format", "json"]);
  const drifted = await folder.run(["drift", "--format", "json"]);
  const [findings, others] = [validated, drifted].map(
    ({ stdout }): Record<string, unknown>[] => JSON.parse(stdout).findings,
  );
  const toPlace = ({ line, pointer }: Record<string, unknown>) => `${line} ${pointer}`;
  const places = findings?.map(toPlace);
  expect(others?.filter(({ id }) => id !== "unregistered").map(toPlace)).toEqual(places);
  return { exitCodes: [validated.exitCode, drifted.exitCode], places, findings };
}

const RED = [EXIT.findings, EXIT.findings];
const GREEN = [EXIT.ok, EXIT.ok];

test("a fixture is of the schema that its entry names, in drift and in validate", async () => {
  write(createBranch());
  configure({ schema: "rollout-wire", version: "1.1.1" });
  expect((await judge()).exitCodes).toEqual(GREEN);
  configure({ schema: "training-record", version: "1.1.1" });
  const { exitCodes, findings } = await judge();
  expect(exitCodes).toEqual(RED);
  expect(findings).toMatchObject([{ file: "records.jsonl", line: 1, severity: "error" }]);
});

test("and of the version that it names", async () => {
  // The first version knows no context, so it may be anything.
  write({ ...createBranch(), context: 5 });
  configure({ schema: "rollout-wire", version: "1.0.0" });
  expect((await judge()).exitCodes).toEqual(GREEN);
  configure({ schema: "rollout-wire", version: "1.1.1" });
  expect(await judge()).toMatchObject({ exitCodes: RED, places: ["1 /context"] });
});

test("the rules, their severities and the baseline apply beside it", async () => {
  const good = JSON.stringify(createBranch());
  write(good.replace('"rank":1', '"rank":1,"rank":1'));
  configure({ schema: "rollout-wire", version: "1.1.1" });
  const { exitCodes, findings } = await judge();
  expect([exitCodes, findings]).toMatchObject([RED, [{ id: "duplicate-key" }]]);
  configure({ schema: "rollout-wire", version: "1.1.1" }, { severity: { "duplicate-key": "off" } });
  expect((await judge()).exitCodes).toEqual(GREEN);
});

const PARTS = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://owner.example/parts",
  $defs: {
    Order: {
      type: "object",
      properties: { id: { type: "string" }, sum: { type: "number" } },
      required: ["id", "sum"],
    },
  },
};

test("the schemas of another registry are those of the configuration, and a record of none of their types is red", async () => {
  mkdirSync(join(folder.path, "schemas"));
  folder.write("schemas/parts.schema.json", JSON.stringify(PARTS));
  const entry = { id: "parts", path: "schemas/parts.schema.json", version: "parts/v1.0.0" };
  folder.write("schemas/index.json", JSON.stringify({ schemas: [entry] }));
  configure({ schema: "parts", version: "1.0.0" }, { registry: "schemas/index.json" });
  write({ id: "a", sum: 1 });
  expect((await judge()).exitCodes).toEqual(GREEN);
  write({ id: "a", sum: 1 }, { id: "b", sum: "2" }, { colour: "red" });
  expect(await judge()).toMatchObject({ exitCodes: RED, places: ["2 /sum", "3 "] });
  // A file that is named is still a record of this package.
  expect((await folder.run(["validate", "records.jsonl"])).exitCode).toBe(EXIT.findings);
});
