import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Config, Registry } from "#generated/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

/** The owner of a schema that this package does not know. */
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://orders.example/schemas/order/v1",
  title: "order/v1",
  anyOf: [{ $ref: "#/$defs/Order" }],
  $defs: {
    Order: {
      type: "object",
      properties: {
        id: { type: "string" },
        sum: { type: "number", minimum: 0 },
        state: { enum: ["open", "paid"] },
        buyer: { type: "string" },
        lines: { type: "array" },
      },
      required: ["id", "sum"],
    },
  },
};

const REGISTRY: Registry = {
  schemas: [
    {
      id: SCHEMA.$id,
      name: "order",
      version: "1.0.0",
      file: "contracts/order.schema.json",
      released: ["contracts/released/order.v1.json"],
      owner: "orders",
      producers: ["shop"],
      consumers: ["ledger"],
      stability: "stable",
    },
  ],
};

/** The repository that holds a copy. */
const HOLDER: Config = {
  config_version: "config/v1",
  repository: "ledger",
  artefacts: [
    {
      kind: "schema",
      schema: "order",
      version: "1.0.0",
      source: "contracts/order.schema.json",
      path: "src/order.json",
    },
  ],
};

const LEDGER = ["--registry", "owner/contracts/registry.json", "--repo", "ledger=ledger"];

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function register(change: Partial<Registry["schemas"][number]> = {}): void {
  const schemas = REGISTRY.schemas.map((entry) => ({ ...entry, ...change }));
  write("owner/contracts/registry.json", { ...REGISTRY, schemas });
}

beforeEach(() => {
  for (const name of ["owner", "ledger"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
  write("owner/contracts/order.schema.json", SCHEMA);
  write("owner/contracts/released/order.v1.json", SCHEMA);
  register();
  write("ledger/rollout-wire.config.json", HOLDER);
});

test("schemas that this package does not know are synced, verified and recognised", async () => {
  const synced = await folder.run(["sync", ...LEDGER]);
  expect([synced.exitCode, synced.stdout]).toEqual([
    EXIT.ok,
    expect.stringContaining("create     src/order.json  order 1.0.0"),
  ]);
  expect((await folder.run(["drift", ...LEDGER])).exitCode).toBe(EXIT.ok);

  const { Order } = SCHEMA.$defs;
  const properties = { ...Order.properties, sum: { type: "number", minimum: 1 } };
  write("ledger/fork.json", { ...SCHEMA, $id: "x", $defs: { Order: { ...Order, properties } } });
  const { exitCode, stdout } = await folder.run(["drift", ...LEDGER]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain("looks like an unregistered copy of order");
  expect(stdout).toContain('order 1.0.0 accepts this, the copy does not:  {"id":"","sum":0}');
});

describe("a copy with another format is judged as the configurations say", () => {
  const SCHEMAS = {
    sources: ["*.json"],
    formats: "assert",
    outputs: [{ target: "reference", folder: "generated" }],
  };
  const ORDERS = { schema: "order", version: "1.0.0", path: "orders.jsonl" };
  const LISTING = { ...HOLDER, fixtures: [ORDERS] };

  test.each([
    ["neither", "compatible", "an annotation", () => undefined],
    [
      "that of the owner",
      "breaking",
      "asserted",
      () => write("owner/rollout-wire.config.json", { ...HOLDER, artefacts: [], schemas: SCHEMAS }),
    ],
    [
      "that of the copy",
      "breaking",
      "asserted",
      () => write("ledger/rollout-wire.config.json", { ...LISTING, schemas: SCHEMAS }),
    ],
  ])("asserted by %s", async (_, grade, use, configure) => {
    write("ledger/rollout-wire.config.json", LISTING);
    write("ledger/orders.jsonl", '{"id": "no uuid", "sum": 1}\n');
    configure();
    await folder.run(["sync", ...LEDGER]);
    const text = JSON.stringify(SCHEMA).replace('"id":{', '"id":{"format":"uuid",');
    write("ledger/src/order.json", text);
    const { exitCode, stdout } = await folder.run(["drift", ...LEDGER]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain(`(${grade})`);
    expect(stdout).toContain(`Order /id now has format "uuid", ${use}  (format-changed)`);
    // Records are replayed on the copy in the same way.
    const isRejected = stdout.includes("is accepted by order 1.0.0, but rejected by");
    expect(isRejected).toBe(use === "asserted");
  });
});

test("init, drift and sync in a repository without a configuration", async () => {
  rmSync(join(folder.path, "ledger/rollout-wire.config.json"));
  write("ledger/schemas/o.json", SCHEMA);
  write("ledger/orders.jsonl", '{"id": "1", "sum": 2}\n{"id": "2", "sum": -2}\n');
  const cwd = join(folder.path, "ledger");
  const registry = ["--registry", "../owner/contracts/registry.json"];
  const { stdout } = await folder.run(["init", "--write", "--name", "books", ...registry], { cwd });
  expect(stdout).toMatch(/^ {2}orders\.jsonl +order 1\.0\.0 +2 Order, 1 of them invalid$/m);
  const { exitCode, stdout: report } = await folder.run(["drift", ...registry], { cwd });
  expect([exitCode, report]).toEqual([
    EXIT.findings,
    expect.stringContaining(
      "orders.jsonl:2:20  /sum  is rejected by order 1.0.0, schemas/o.json: must be >= 0, is -2",
    ),
  ]);
  await folder.run(["sync", ...registry], { cwd });
  const lock = await folder.run(["drift", ...registry], { cwd });
  expect(lock.stdout).toMatch(/^books {2}1\.0\.0 {2}schemas\/o\.json {2}identical\n/);
});

test("a schema whose records are not inferred is found by its name and $id, not by its properties", async () => {
  register({ inferred: false });
  write("ledger/rollout-wire.config.json", { ...HOLDER, artefacts: [] });
  const { $id: _, title: __, ...nameless } = SCHEMA;
  write("ledger/a/nameless.json", nameless);
  write("ledger/a/identified.json", { ...nameless, $id: SCHEMA.$id });
  write("ledger/a/order.schema.json", nameless);
  const found = async (): Promise<string[]> => {
    const { stdout } = await folder.run(["drift", ...LEDGER, "--format", "json"]);
    return JSON.parse(stdout).forks.map(({ path }: { path: string }) => path);
  };
  expect(await found()).toEqual(["a/identified.json", "a/order.schema.json"]);
  register();
  expect(await found()).toEqual(["a/identified.json", "a/nameless.json", "a/order.schema.json"]);
});

describe("a registry that cannot be used is one line", () => {
  test.each<[string, () => void, string]>([
    [
      "does not exist",
      () => rmSync(join(folder.path, "owner"), { recursive: true }),
      "registry.json: no such file",
    ],
    [
      "is not JSON",
      () => write("owner/contracts/registry.json", "{"),
      "registry.json:1:2 is not JSON",
    ],
    [
      "registers nothing",
      () => write("owner/contracts/registry.json", { ...REGISTRY, schemas: [] }),
      "registers no schema",
    ],
    [
      "names a schema that does not exist",
      () => register({ file: "contracts/none.schema.json" }),
      "no folder above it has contracts/none.schema.json, which it registers",
    ],
    [
      "names a published version that does not exist",
      () => register({ released: ["contracts/released/order.v2.json"] }),
      "contracts/released/order.v2.json: no such file",
    ],
    [
      "names a published version without its number",
      () => register({ released: ["contracts/order.schema.json"] }),
      "contracts/order.schema.json, published of order, must end in its version, such as v1.2",
    ],
    [
      "names a schema that is not JSON",
      () => write("owner/contracts/order.schema.json", "{"),
      "order.schema.json:1:2 is not JSON",
    ],
  ])("%s", async (_, damage, message) => {
    damage();
    for (const command of ["drift", "sync"]) {
      const { exitCode, stdout, stderr } = await folder.run([command, ...LEDGER]);
      expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
  });
});
