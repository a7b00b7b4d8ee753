import { expect, test } from "vitest";
import { upgradeRecord } from "../../src/contract/migrate/testing/upgrade-record.js";

const upgrade = (record: Readonly<Record<string, unknown>>) =>
  upgradeRecord("fixture/v1", "fixture/v2", record);

test("known failures are named by type and name", async () => {
  const [why, fixture] = ["Null.", "fixtures/valid/PpoRecord/plugin-example.json"];
  expect(await upgrade({ known_failures: [{ fixture, why }] })).toEqual({
    known_failures: [{ fixture: "PpoRecord/plugin-example", why }],
  });
  expect(await upgrade({ known_failures: [] })).toEqual({ known_failures: [] });
});

test("a single fixture, and a failure that names no file of one, cannot be upgraded", async () => {
  await expect(upgrade({ why: "A number.", record: 7 })).rejects.toThrow("a suite needs the type");
  const known_failures = [{ fixture: "PpoRecord", why: "x" }];
  await expect(upgrade({ known_failures })).rejects.toThrow("PpoRecord is no file of a fixture");
});
