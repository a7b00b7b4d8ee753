import type { ToolEvent } from "#generated/index.js";
import { createText } from "./create-text.js";
import type { Random } from "./random.js";

const TOOLS = [
  "read_file",
  "run_tests",
  "search_code",
  "get_order",
  "query_database",
  "apply_patch",
];

/** Tool calls with their results, in the format's own dialect; now and then two calls in one turn. */
export function createToolEvents(random: Random, unicode: boolean): ToolEvent[] {
  const events: ToolEvent[] = [];
  const turns = random.integer(2, 4);
  for (let turn = 1; turn <= turns; turn += 1) {
    const names = Array.from({ length: random.chance(15) ? 2 : 1 }, () => random.pick(TOOLS));
    const calls = names.map((toolName, at) => ({ toolName, callId: `call_${turn}_${at}` }));
    for (const call of calls) events.push(createCall(call, `turn-${turn}`, random, unicode));
    for (const call of calls) events.push(createResult(call, random, unicode));
  }
  return events;
}

interface CallName {
  readonly toolName: string;
  readonly callId: string;
}

function createCall(
  { toolName, callId }: CallName,
  batchId: string,
  random: Random,
  unicode: boolean,
): ToolEvent {
  const args = {
    path: `src/${createText(random, 1)}/${createText(random, 1)}.ts`,
    limit: random.integer(1, 500),
    query: createText(random, random.integer(2, 8), unicode),
    options: { recursive: random.chance(50), timeout_ms: random.integer(1, 60) * 500 },
  };
  const text = random.chance(40)
    ? { text: createText(random, random.integer(6, 18), unicode) }
    : {};
  return {
    event: "tool_call",
    channel: "tool",
    data: { toolName, args, callId, batchId, ...text },
  };
}

function createResult({ toolName, callId }: CallName, random: Random, unicode: boolean): ToolEvent {
  const outcome = random.chance(6)
    ? { error: { code: "E_TOOL", message: createText(random, 9, unicode), retryable: true } }
    : { output: createOutput(random, unicode) };
  return { event: "tool_result", channel: "tool", data: { callId, toolName, ...outcome } };
}

/** A third each: JSON as text, lines of text, and a JSON value. */
function createOutput(random: Random, unicode: boolean): unknown {
  const kind = random.integer(0, 2);
  if (kind === 1) return createLines(random, unicode);
  const value = {
    status: random.chance(80) ? "ok" : "partial",
    total: random.integer(0, 99_999) / 100,
    rows: Array.from({ length: random.integer(1, 5) }, (_, at) => ({
      id: random.integer(1, 9_999_999),
      title: createText(random, random.integer(2, 6), unicode),
      active: random.chance(50),
      parent: at === 0 ? null : at,
    })),
  };
  return kind === 0 ? JSON.stringify(value) : value;
}

function createLines(random: Random, unicode: boolean): string {
  const lines = Array.from(
    { length: random.integer(3, 9) },
    (_, at) => `${at + 1}\t  const ${createText(random, 1)} = "${createText(random, 4, unicode)}";`,
  );
  return `${lines.join("\n")}\n`;
}
