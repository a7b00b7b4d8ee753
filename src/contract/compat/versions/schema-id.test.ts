import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../base/package.js";
import { readRegistry } from "../../schemas/registry.js";
import { listIds } from "../../schemas/schema-id.js";
import { loadVersion } from "../load-version.js";
import { findRegistered, readSchemaId } from "./schema-id.js";

const named = readRegistry(packageRoot()).schemas.flatMap((entry) =>
  listIds(entry).map((id) => ({ id, name: entry.name })),
);

function idOf($id: string) {
  const text = JSON.stringify({ $id, type: "string" });
  return readSchemaId(loadVersion({ name: "a.json", text, others: [] }));
}

describe("a schema of this package is known by its $id and by its aliases", () => {
  test("there are some", () => expect(named.length).toBeGreaterThan(15));

  test.each(named)("$id", ({ id, name }) => {
    const found = idOf(id);
    expect(found && findRegistered(found)?.name).toBe(name);
    const later = idOf(id.replace(/\d+$/, "7"));
    expect(later).toMatchObject({ name, major: 7 });
    expect(later && findRegistered(later)?.name).toBe(name);
  });

  test("but not by its name under another address", () => {
    const found = idOf("https://x.example/schemas/rollout-wire/v1");
    expect(found).toMatchObject({ name: "rollout-wire", major: 1 });
    expect(found && findRegistered(found)).toBeUndefined();
  });
});
