import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMessage, type Message } from "#generated/index.js";
import { toJsonl } from "../../src/base/json/print.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { trl } from "../../src/rollouts/wire/export/targets/trl.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";
import { findMissingPiece } from "./testing/find-missing-piece.js";
import { type WrittenFile, writeTarget } from "./testing/write-target.js";

/** The texts that TRL renders from a record, by column. */
type Rendered = Readonly<Record<string, string>>;

const TEMPLATES = new URL("templates/", import.meta.url);

/** A call as rendered by each template: a line of JSON with its name, and its arguments as an object. */
const CALL_LINE = /^\{"name": [^\n]*\}$/gmu;

const templates = Object.fromEntries(
  readdirSync(TEMPLATES).map((file) => [file, readFileSync(new URL(file, TEMPLATES), "utf8")]),
);

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-templates-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function render({ path, features }: Pick<WrittenFile, "path" | "features">, columns: string[]) {
  const request = { path, features, columns, templates };
  return Object.entries(runConsumer<Record<string, Rendered[]>>("render_templates", request));
}

/** The message lists of a record, concatenated. */
function messagesOf(record: object, columns: readonly string[]): Message[] {
  const fields = new Map<string, unknown>(Object.entries(record));
  return columns.flatMap((column) => {
    const value = fields.get(column);
    if (!Array.isArray(value)) throw new TypeError(`no messages in ${column}`);
    return value.filter(isMessage);
  });
}

/** Asserts that a text contains all of a conversation in order; returns the number of its calls. */
function checkText(text: string, messages: readonly Message[], place: string): number {
  const lines = [...text.matchAll(CALL_LINE)].map(([line]) => line);
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(lines, place).toHaveLength(calls.length);
  const expected = calls.map(({ function: { name, arguments: args } }) => ({ name, args }));
  const written = lines.map((line): unknown => {
    const { name, arguments: args, parameters } = JSON.parse(line);
    return { name, args: args ?? parameters };
  });
  expect(findDifference(expected, written), place).toBeUndefined();
  const rest = [...lines];
  const pieces = messages.flatMap(({ role, content, tool_calls = [] }) => [
    role === "tool" && place.startsWith("mistral") ? JSON.stringify(content) : content,
    ...tool_calls.map(() => rest.shift() ?? ""),
  ]);
  expect(findMissingPiece(text, pieces), place).toBeUndefined();
  return calls.length;
}

test.each([
  [
    "trl",
    "dpo",
    [
      ["prompt", "chosen"],
      ["prompt", "rejected"],
    ],
  ],
  ["trl", "ppo", [["prompt", "completion"]]],
  ["trl-sft", "sft", [["messages"]]],
] as const)(
  "%s %s: every template renders every conversation with its calls",
  (id, kind, texts) => {
    const file = writeTarget(id, createRollouts(), folder).find((each) => each.kind === kind);
    if (file === undefined) throw new Error(`${id} wrote no ${kind}`);
    const columns = [...new Set<string>(texts.flat())];
    let calls = 0;
    for (const [template, rendered] of render(file, columns)) {
      expect(rendered).toHaveLength(file.records.length);
      for (const [index, record] of file.records.entries()) {
        for (const parts of texts) {
          const row: Rendered = rendered[index] ?? {};
          // A conversation in one column becomes `text`.
          const text = parts.map((part) => row[part] ?? row.text ?? "").join("");
          calls += checkText(text, messagesOf(record, parts), `${template} ${index}`);
        }
      }
    }
    const count = Object.keys(templates).length;
    process.stderr.write(
      `templates: ${count} on ${file.records.length} records of ${id} ${kind}, ${calls} calls\n`,
    );
    expect(count).toBeGreaterThanOrEqual(4);
    expect(file.records.length).toBeGreaterThan(10);
    expect(calls).toBeGreaterThan(100);
  },
);

test.runIf(isNightly)(
  "arguments must not be text: two of the templates reject it, two encode it twice",
  () => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: '{"a": 1}' } };
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "", tool_calls: [call] },
    ];
    const path = join(folder, "text.jsonl");
    writeFileSync(path, toJsonl([{ messages }]));
    const features = { messages: trl.features.dpo.prompt };
    const outcomes = Object.entries(templates).map(([name, text]) => {
      const request = { path, features, columns: ["messages"], templates: { [name]: text } };
      try {
        const answer = runConsumer<Record<string, Rendered[]>>("render_templates", request);
        return JSON.stringify(answer).includes(String.raw`\\\"a\\\"`) ? "twice" : "once";
      } catch {
        return "refused";
      }
    });
    expect(outcomes.toSorted()).toEqual(["refused", "refused", "twice", "twice"]);
  },
);

test("a missing part is detected", () => {
  expect(findMissingPiece("a b c", ["a", "c"])).toBeUndefined();
  expect(findMissingPiece("a b c", ["c", "a"])).toBe(1);
});
