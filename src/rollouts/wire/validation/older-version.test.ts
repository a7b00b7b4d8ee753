import { expect, test, vi } from "vitest";
import { checkStructure } from "./structure.js";

vi.mock(import("#generated/index.js"), async (importOriginal) => {
  const original = await importOriginal();
  const entryTypes = original.entryTypes.map((type) => ({
    ...type,
    schema: type.schema.replace(/v1$/, "v2"),
  }));
  return { ...original, entryTypes };
});

test.each([
  [
    "rollout-wire/v1",
    ' (schema_version "rollout-wire/v1": an older version than the rollout-wire/v2 of this program: migrate --to rollout-wire/v2 upgrades it)',
  ],
  ["rollout-wire/v2", ""],
  [
    "rollout-wire/v3",
    ' (schema_version "rollout-wire/v3": a newer version than the rollout-wire/v2 of this program)',
  ],
])("a finding about a record of %s says how it relates to this program", (version, note) => {
  const { faults } = checkStructure({
    schema_version: version,
    prompt: "",
    chosen: "",
    rejected: "",
  });
  expect(faults[0]?.message).toBe(`closest to DpoRecord${note}: lacks "tool_call_sequence"`);
});
