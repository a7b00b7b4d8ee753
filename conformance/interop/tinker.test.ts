import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { exportRollouts } from "../../src/rollouts/wire/export/export-rollouts.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";

interface TinkerReading {
  readonly records: readonly {
    readonly chosen: unknown;
    readonly rejected: unknown;
    readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  }[];
  /** Fields of the first message, as the cookbook's own builder of JSONL files returns them. */
  readonly own: readonly string[];
}

const branches = createRollouts();
const { dpo } = exportRollouts(branches, { target: "tinker" });
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-tinker-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(records: readonly object[]): TinkerReading {
  const path = join(folder, "dpo.jsonl");
  writeFileSync(path, toJsonl(records));
  return runConsumer("read_tinker", { path });
}

test("the Tinker Cookbook reads every comparison, with label, calls and object arguments", () => {
  const { records, own } = read(dpo);
  const calls = records.flatMap((record) => record.calls);
  process.stderr.write(`Tinker: ${records.length} comparisons, ${calls.length} calls\n`);
  expect(records).toHaveLength(dpo.length);
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.filter((call) => !isJsonObject(call.arguments))).toEqual([]);
  const sides = dpo.map(({ comparison: { completion_A, completion_B }, label }) =>
    label === "A"
      ? { chosen: completion_A, rejected: completion_B }
      : { chosen: completion_B, rejected: completion_A },
  );
  expect(records.map(({ chosen, rejected }) => ({ chosen, rejected }))).toEqual(sides);
  expect(sides.filter(({ chosen }) => chosen[0]?.tool_calls).length).toBeGreaterThan(5);
  expect(records.map((record) => record.calls)).toEqual(
    dpo.map(({ comparison }) =>
      comparison.prompt_conversation.flatMap(({ tool_calls = [] }) =>
        tool_calls.map(({ function: { name, arguments: args } }) => ({
          name,
          arguments: JSON.parse(args),
        })),
      ),
    ),
  );
  // Why docs/targets.md has a builder: with this one, all messages are a user's, with null calls.
  expect(own).toEqual(["content", "name", "role", "tool_call_id", "tool_calls"]);
});

test("it rejects arguments that are objects", () => {
  const call = { id: "c", type: "function", function: { name: "f", arguments: {} } };
  const prompt_conversation = [{ role: "assistant", content: "", tool_calls: [call] }];
  const [record] = dpo;
  const comparison = { ...record?.comparison, prompt_conversation };
  expect(() => read([{ ...record, comparison }])).toThrow(/valid string/);
});
