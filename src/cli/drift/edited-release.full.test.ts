import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Config, Registry } from "#generated/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { schemaHashes } from "../../contract/schemas/hashes.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const FILE = "contracts/order.schema.json";
const RELEASED = "contracts/released/order.v1.json";

const toText = (properties: Record<string, unknown>): string =>
  JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://orders.example/schemas/order/v1",
    title: "Order",
    type: "object",
    properties,
    required: ["id"],
  });

const PUBLISHED = toText({ id: { type: "string" } });
const EDITED = toText({ id: { type: "string", minLength: 3 } });

const ENTRY: Registry["schemas"][number] = {
  id: "https://orders.example/schemas/order/v1",
  name: "order",
  version: "1.0.0",
  file: FILE,
  released: [RELEASED],
  owner: "orders",
  producers: ["shop"],
  consumers: ["ledger"],
  stability: "stable",
};

const CONSUMER: Config = {
  config_version: "config/v1",
  repository: "ledger",
  artefacts: [
    { kind: "schema", schema: "order", version: "1.0.0", source: FILE, path: "order.json" },
  ],
};

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function register(entry: Partial<typeof ENTRY> = {}): void {
  write("owner/contracts/registry.json", { schemas: [{ ...ENTRY, ...entry }] });
}

const REGISTRY = ["--registry", "owner/contracts/registry.json"];
const LEDGER = [...REGISTRY, "--repo", "ledger=ledger"];

beforeEach(async () => {
  for (const name of ["owner", "ledger"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
  write(`owner/${FILE}`, PUBLISHED);
  write(`owner/${RELEASED}`, PUBLISHED);
  write("owner/rollout-wire.config.json", {
    config_version: "config/v1",
    repository: "orders",
    registry: "contracts/registry.json",
    artefacts: [],
  });
  register();
  write("ledger/rollout-wire.config.json", CONSUMER);
  expect((await folder.run(["sync", ...LEDGER])).exitCode).toBe(EXIT.ok);
});

/** The findings of `drift` about the consumer, and in the owner's repository. */
async function drift(): Promise<{ consumer: string[]; owner: string[]; exitCodes: unknown[] }> {
  const [consumer, owner] = [
    await folder.run(["drift", ...LEDGER, "--format", "json"]),
    await folder.run(["drift", "--format", "json"], { cwd: join(folder.path, "owner") }),
  ];
  const read = ({ stdout }: { stdout: string }): string[] =>
    JSON.parse(stdout).findings.map(
      ({ id, pointer, message }: Record<string, string>) => `${id} ${pointer} ${message}`,
    );
  const exitCodes = [consumer.exitCode, owner.exitCode];
  return { consumer: read(consumer), owner: read(owner), exitCodes };
}

describe("a published schema that its owner edits in place is the owner's fault, not that of a copy", () => {
  test.each<[string, () => void, RegExp]>([
    [
      "the schema, without a new version",
      () => write(`owner/${FILE}`, EDITED),
      /^released-changed \/schemas\/0\/released\/0 contracts\/order\.schema\.json and contracts\/released\/order\.v1\.json are both order 1\.0\.0, and differ: /,
    ],
    [
      "the published file, of which the registry has the hash",
      () => {
        register({ hashes: schemaHashes(PUBLISHED) });
        write(`owner/${RELEASED}`, EDITED);
      },
      /are both order 1\.0\.0, and differ: restore the one that was edited, or raise the version$/,
    ],
    [
      "both files, of which the registry has the hash",
      () => {
        register({ hashes: schemaHashes(PUBLISHED) });
        write(`owner/${FILE}`, EDITED);
        write(`owner/${RELEASED}`, EDITED);
      },
      /order\.v1\.json was published as order 1\.0\.0, and has changed since: restore it, and publish a new version$/,
    ],
  ])("%s", async (_, edit, wanted) => {
    edit();
    const { consumer, owner, exitCodes } = await drift();
    expect(owner).toEqual([expect.stringMatching(wanted)]);
    expect(consumer).toEqual(owner);
    expect(exitCodes).toEqual([EXIT.unreadable, EXIT.unreadable]);
    const synced = await folder.run(["sync", ...LEDGER, "--force"]);
    expect([synced.exitCode, synced.stdout]).toEqual([
      EXIT.unreadable,
      expect.stringContaining("released-changed"),
    ]);
    // The copy is still what was published, and one that differs is still named.
    write("ledger/order.json", toText({ id: { type: "number" } }));
    expect((await drift()).consumer).toHaveLength(2);
  });

  test("a version that was raised is no edit", async () => {
    write(`owner/${FILE}`, EDITED);
    register({ version: "1.1.0", hashes: schemaHashes(EDITED) });
    const { owner, exitCodes } = await drift();
    expect([owner, exitCodes]).toEqual([[], [EXIT.ok, EXIT.ok]]);
  });
});

describe("references that lead back to themselves without end are a finding in the owner's repository", () => {
  const cyclic = (target: string) => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: target,
  });

  test("across files", async () => {
    write("owner/contracts/a.schema.json", cyclic("b.schema.json"));
    write("owner/contracts/b.schema.json", cyclic("a.schema.json"));
    const schemas = ["a", "b"].map((name) => ({
      ...{ ...ENTRY, id: `urn:example:${name}`, name, released: [] },
      file: `contracts/${name}.schema.json`,
    }));
    write("owner/contracts/registry.json", { schemas });
    const { owner, exitCodes } = await drift();
    expect(owner).toEqual([
      "registry /schemas/0 contracts/b.schema.json: refers to itself without end",
      "registry /schemas/1 contracts/a.schema.json: refers to itself without end",
    ]);
    expect(exitCodes[1]).toBe(EXIT.unreadable);
  });

  test("between definitions, behind keywords for the same value", async () => {
    const $defs = { A: { allOf: [{ $ref: "#/$defs/B" }] }, B: { $ref: "#/$defs/A" } };
    const text = JSON.stringify({ ...JSON.parse(PUBLISHED), $ref: "#/$defs/A", $defs });
    write(`owner/${FILE}`, text);
    write(`owner/${RELEASED}`, text);
    expect((await drift()).owner).toEqual([
      expect.stringContaining("/$defs/B: refers to itself without end"),
    ]);
  });

  test("a schema that descends into the value refers to itself, and ends", async () => {
    const tree = toText({ id: { type: "string" }, of: { items: { $ref: "#" } } });
    write(`owner/${FILE}`, tree);
    write(`owner/${RELEASED}`, tree);
    expect((await drift()).owner).toEqual([]);
  });
});
