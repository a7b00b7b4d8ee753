import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { readRegistry } from "../../contract/schemas/registry.js";
import { isWire } from "../../contract/schemas/registry-file.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

/** What a registry at this address claims: its gate is red on any other schema with such an `$id`. */
const CLAIMED = "https://wasmagent.dev/schemas/";

const schemas = readRegistry(packageRoot()).schemas.filter(isWire);
const repo = join(folder.path, "trace-pipeline");

beforeEach(() => {
  rmSync(repo, { recursive: true, force: true });
  mkdirSync(join(repo, "schemas"), { recursive: true });
});

const runIn = (...argv: string[]) => folder.run(argv, { cwd: repo });

/** The repository holds a copy of each schema. */
function configure(): void {
  const artefacts = schemas.map(({ name, version, file }) => {
    const path = `schemas/${name}.schema.json`;
    return { kind: "schema", schema: name, version, source: file, path };
  });
  const config = { config_version: "config/v1", repository: "trace-pipeline", artefacts };
  writeFileSync(join(repo, "rollout-wire.config.json"), JSON.stringify(config));
}

/** The names of the files in `schemas` that the other registry's gate is red on. */
function listClaiming(): string[] {
  return readdirSync(join(repo, "schemas")).filter((file) => {
    const { $id } = JSON.parse(readFileSync(join(repo, "schemas", file), "utf8"));
    return String($id).startsWith(CLAIMED);
  });
}

test("copies claim no $id of another registry", async () => {
  configure();
  const { exitCode, stderr } = await runIn("sync");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: EXIT.ok });
  expect(readdirSync(join(repo, "schemas"))).toHaveLength(schemas.length);
  expect(listClaiming()).toEqual([]);
  // The gate of this test is red on what was published before.
  const [first] = schemas[0]?.released ?? [];
  writeFileSync(
    join(repo, "schemas/old.schema.json"),
    readFileSync(join(packageRoot(), first ?? "")),
  );
  expect(listClaiming()).toEqual(["old.schema.json"]);
});

test.each(schemas)(
  "a file with the former $id of $name is found by it",
  async ({ name, id, aliases }) => {
    const [alias] = aliases ?? [];
    expect(alias).toBeDefined();
    for (const [file, $id] of Object.entries({ former: alias, present: id })) {
      const document = { $id, type: "object", properties: { other: {} } };
      writeFileSync(join(repo, `schemas/${file}.json`), JSON.stringify(document));
    }
    const { exitCode, stdout } = await runIn("drift", "--scan", ".");
    expect(exitCode).toBe(EXIT.findings);
    for (const file of ["former", "present"]) {
      expect(stdout).toMatch(
        new RegExp(`schemas/${file}\\.json.* unregistered copy of ${name} \\(by its \\$id`),
      );
    }
  },
);

test.each(["urn:rollout-wire:rollout-wire:v2", "https://wasmagent.dev/schemas/rollout-wire/v2"])(
  "a copy that is a later major version is not overwritten: %s",
  async ($id) => {
    configure();
    writeFileSync(join(repo, "schemas/rollout-wire.schema.json"), JSON.stringify({ $id }));
    const { exitCode, stdout } = await runIn("sync");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain('its "$id" ends with v2');
  },
);

test("a copy that refers to the former $id of another schema is compared with it", async () => {
  const [wire] = schemas.filter(({ name }) => name === "rollout-wire");
  const [training] = schemas.filter(({ name }) => name === "training-record");
  const text = readFileSync(join(packageRoot(), training?.file ?? ""), "utf8");
  const [alias = ""] = wire?.aliases ?? [];
  // One reference only: with all of them, it is what was published before.
  const copy = text.replace(wire?.id ?? "", alias);
  expect(copy).not.toBe(text);
  writeFileSync(join(repo, "schemas/copy.json"), copy);
  const { stdout } = await runIn("drift", "--scan", ".");
  expect(stdout).toContain(
    `compared with training-record ${training?.version}, it accepts the same`,
  );
});
