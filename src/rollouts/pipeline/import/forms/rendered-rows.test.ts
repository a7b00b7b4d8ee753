import { readFileSync } from "node:fs";
import { Template } from "@huggingface/jinja";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../../../base/testing/run-count.js";
import { toMessages } from "../../../wire/conversation/conversation.js";
import { withSharedTask } from "../shared-task.js";
import { NO_VALUES, PLACE, readBranch, SETTINGS } from "../testing/read-row.js";
import { rows } from "./rows.js";
import { tauBench } from "./tau.js";

const TEMPLATES = ["hermes", "llama-3.1", "mistral", "qwen"].map((name) => {
  const url = new URL(
    `../../../../../conformance/interop/templates/${name}.jinja`,
    import.meta.url,
  );
  return [name, new Template(readFileSync(url, "utf8"))] as const;
});

const TOOL = {
  type: "function",
  function: {
    name: "add",
    description: "Adds.",
    parameters: { type: "object", properties: { x: { type: "integer" } } },
  },
};

const text = fc
  .string({ unit: "grapheme", maxLength: 9 })
  .filter((each) => !/[<{]|Action/.test(each));
const words = text.filter((each) => each.trim() !== "");

interface Exchange {
  readonly said: string;
  /** The results of its calls. */
  readonly results: readonly string[];
  readonly reply: string;
  readonly next: string;
}

const exchange: fc.Arbitrary<Exchange> = fc.record({
  said: text,
  results: fc.array(text, { maxLength: 2 }),
  reply: words,
  next: words,
});

/** What is said in an exchange: perhaps calls with their results, an answer, and another question. */
const toTurns = ({ said, results, reply, next }: Exchange, at: number): object[] => {
  const ids = results.map((_, index) => `call${at}abc${index}x`.slice(0, 9));
  const calls = ids.map((id, x) => ({
    ...{ id, type: "function", function: { name: "add", arguments: { x } } },
  }));
  const answers = results.map((content, index) => ({
    ...{ role: "tool", content, tool_call_id: ids[index], name: "add" },
  }));
  const calling = { role: "assistant", content: said, tool_calls: calls };
  return [
    ...(calls.length > 0 ? [calling, ...answers] : []),
    { role: "assistant", content: reply },
    { role: "user", content: next },
  ];
};

/** The rendered text, or what the template says against the conversation. */
function render(template: Template, messages: readonly object[]): string {
  const given = { messages, tools: [TOOL], add_generation_prompt: false, bos_token: "<s>" };
  try {
    return template.render({ ...given, eos_token: "</s>", date_string: "26 Jul 2024" });
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`;
  }
}

test("where nothing is changed, chat templates render the bytes of the source", () => {
  const rendered = new Map<string, number>();
  const property = fc.property(
    words,
    words,
    fc.array(exchange, { minLength: 1, maxLength: 4 }),
    (system, task, exchanges) => {
      const turns = exchanges.flatMap(toTurns);
      const messages = [
        { role: "system", content: system },
        { role: "user", content: task },
        ...turns,
      ];
      const { branch, tally } = readBranch(rows, { messages, tools: [TOOL] });
      expect(tally.describeChanges()).toEqual([]);
      // As a trial whose task is the system prompt, because other users begin it in other words.
      const trial = { task_id: 1, reward: 1, traj: messages };
      const [part] = tauBench.createReader(SETTINGS, NO_VALUES, []).split?.([trial], PLACE) ?? [];
      const read = readBranch(tauBench, part?.value ?? {}).branch;
      const shared = withSharedTask(read, { index: 0, role: "system" });
      expect([shared.task, shared.task_role]).toEqual([system, "system"]);
      for (const [name, template] of TEMPLATES) {
        const source = render(template, messages);
        expect(render(template, toMessages(branch)), name).toBe(source);
        expect(render(template, toMessages(shared)), name).toBe(source);
        if (!source.startsWith("refused")) rendered.set(name, (rendered.get(name) ?? 0) + 1);
      }
    },
  );
  fc.assert(property, { numRuns: runCount(200) });
  // The templates take nearly all of these conversations.
  const counts = TEMPLATES.map(([name]) => rendered.get(name) ?? 0);
  expect(Math.min(...counts)).toBeGreaterThan(10);
});
