import { afterEach, expect, test } from "vitest";
import { ExtraRepository } from "./testing/extra-repository.js";
import { EXTRA, WIRE } from "./testing/extra-schema.js";

const repositories: ExtraRepository[] = [];

afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function createRepository(schema: unknown): ExtraRepository {
  const repository = new ExtraRepository(schema);
  repositories.push(repository);
  return repository;
}

test.each([
  ["is not JSON", "{"],
  ["must be an object, is", "[]"],
  ["has a dialect that is not known here", { ...EXTRA, $schema: "https://example.com/dialect" }],
  ['has the "$id" of schema/extra', { ...EXTRA, $id: WIRE }],
  ["is not a schema of draft 2020-12", { ...EXTRA, $defs: { A: { type: "strin" } } }],
  [
    "holds a number beyond a double",
    JSON.stringify(EXTRA).replace('"maximum":9', '"maximum":1e400'),
  ],
  ["holds a control character or a lone surrogate", { ...EXTRA, title: "\ud800" }],
  [
    "https://example.com/other#/$defs/X (nothing is ever fetched)",
    { ...EXTRA, $defs: { Extra: { $ref: "https://example.com/other#/$defs/X" } } },
  ],
  [
    "can take very long on some texts",
    { ...EXTRA, $defs: { Extra: { type: "string", pattern: "^(a+)+$" } } },
  ],
  ["leads nowhere: #/$defs/%zz", { ...EXTRA, $defs: { Extra: { $ref: "#/$defs/%zz" } } }],
  [
    "makes a second constant EXTRA_A_B",
    {
      ...EXTRA,
      $defs: { Extra: { type: "object", properties: { aB: { const: 1 }, "a.b": { const: 2 } } } },
    },
  ],
])("a schema that %s is rejected in one line", async (message, schema) => {
  await expect(createRepository(schema).generate()).rejects.toThrow(message);
});
