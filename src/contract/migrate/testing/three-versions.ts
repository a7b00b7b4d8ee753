import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary checkout of one schema, `order`, with three published major versions and their upcasters. */
export interface ThreeVersions {
  readonly root: string;
  write(file: string, content: string): void;
  remove(): void;
}

const text = { type: "string" };

/** v2 renames a field and requires another one; v3 splits a field. `note` never changes and names no version. */
const DEFINITIONS: readonly object[] = [
  { Order: { order_version: 1, properties: { id: text, client: text, total: text } } },
  { Order: { order_version: 2, properties: { id: text, customer: text, total: text } } },
  {
    Order: {
      order_version: 3,
      properties: { id: text, customer: text, amount: { type: "number" }, currency: text },
    },
  },
].map(({ Order: { order_version: major, properties } }) => ({
  Order: {
    type: "object",
    properties: { order_version: { const: `order/v${major}` }, ...properties },
    required: major === 1 ? ["id", "client"] : ["id", ...Object.keys(properties).slice(1)],
  },
  Note: {
    type: "object",
    properties: { note: text },
    required: ["note"],
    not: { required: ["id"] },
  },
}));

const UPCASTERS: Readonly<Record<string, string>> = {
  "order-v1-v2": `export function upcast(record: Record<string, unknown>): unknown {
  const { client, ...rest } = record;
  if ("note" in record) return record;
  if (client === "nobody") throw new Error("an order needs a customer");
  return { total: "0 EUR", ...rest, customer: client, order_version: "order/v2" };
}
`,
  "order-v2-v3": `export function upcast(record: Record<string, unknown>): unknown {
  const { total, ...rest } = record;
  if ("note" in record) return record;
  const [amount, currency] = String(total).split(" ");
  return { ...rest, amount: Number(amount), currency, order_version: "order/v3" };
}
`,
};

export function createThreeVersions(): ThreeVersions {
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-versions-"));
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  const released = DEFINITIONS.map((definitions, index) => {
    const file = `schema/released/order/v${index + 1}.schema.json`;
    write(file, printSchema(index + 1, definitions));
    return file;
  });
  write("schema/order.schema.json", printSchema(3, DEFINITIONS[2] ?? {}));
  const entry = {
    id: toId(3),
    name: "order",
    version: "3.0.0",
    file: "schema/order.schema.json",
    released,
    owner: "o",
    producers: [],
    consumers: [],
    stability: "stable",
  };
  write("schema/registry.json", JSON.stringify({ schemas: [entry] }));
  for (const [name, program] of Object.entries(UPCASTERS)) {
    write(`schema/upcasters/${name}.ts`, program);
  }
  return { root, write, remove: () => rmSync(root, { recursive: true }) };
}

function toId(major: number): string {
  return `https://example.org/schemas/order/v${major}`;
}

function printSchema(major: number, definitions: object): string {
  const anyOf = Object.keys(definitions).map((name) => ({ $ref: `#/$defs/${name}` }));
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return JSON.stringify({ $schema, $id: toId(major), anyOf, $defs: definitions });
}
