import { expect, test } from "vitest";
import { exportRollouts } from "../../src/export/export-rollouts.js";
import { isJsonObject } from "../../src/records/json-object.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";

interface RenderedCall {
  readonly name: string;
  readonly arguments: unknown;
}

test("the Tinker Cookbook takes every conversation, and writes its calls with objects", () => {
  const { dpo } = exportRollouts(createRollouts(), { target: "tinker" });
  const comparisons = dpo.map(({ comparison }) => comparison);
  const conversations = comparisons.flatMap(
    ({ prompt_conversation: prompt, completion_A, completion_B }) => [
      [...prompt, ...completion_A],
      [...prompt, ...completion_B],
    ],
  );
  const calls = comparisons.map(({ prompt_conversation: prompt }) =>
    prompt.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ function: { name, arguments: args } }) => ({
        name,
        arguments: JSON.parse(args),
      })),
    ),
  );
  const rendered = runConsumer<RenderedCall[][]>("read_tinker", conversations);
  process.stderr.write(
    `Tinker: ${conversations.length} conversations, ${rendered.flat().length} calls\n`,
  );
  expect(conversations.length).toBeGreaterThan(10);
  expect(rendered.flat().length).toBeGreaterThan(10);
  expect(rendered.flat().map(({ arguments: args }) => isJsonObject(args))).not.toContain(false);
  expect(rendered).toEqual(calls.flatMap((each) => [each, each]));
});

test("it refuses arguments that are objects", () => {
  const call = { id: "c", type: "function", function: { name: "f", arguments: {} } };
  const conversation = [{ role: "assistant", content: "", tool_calls: [call] }];
  expect(() => runConsumer("read_tinker", [conversation])).toThrow(/valid string/);
});
