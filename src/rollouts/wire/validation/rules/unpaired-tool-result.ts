import {
  isDpoTrainingRecord,
  isPpoTrainingRecord,
  type Message,
  type ToolEvent,
} from "#generated/index.js";
import { pairResults } from "../../conversation/pairing.js";
import { readRecordEvents } from "../calls.js";
import type { RecordRule, RuleFault } from "./rule.js";

const MESSAGE = "a tool result without a call";

/**
 * A result without its call shows the model an answer that it never asked for. Results and calls are paired as
 * in the exporter; in training records, by the ids of the messages. `BranchReader` pairs them too.
 */
export const unpairedToolResult = {
  id: "unpaired-tool-result",
  purpose: "every tool result answers a call that came before it",
  scope: "record",
  check(record, type) {
    // Records are open, so one may be valid for several types. `type` determines which is meant.
    if (type === "DpoTrainingRecord" && isDpoTrainingRecord(record)) {
      return [
        ...findInMessages("/messages", record.messages),
        ...findInMessages("/prompt_messages", record.prompt_messages),
      ];
    }
    if (type === "PpoTrainingRecord" && isPpoTrainingRecord(record)) {
      return findInMessages("/messages", record.messages);
    }
    const { events, acts } = readRecordEvents(record, type) ?? { events: [], acts: [] };
    if (answersInOrder(events)) return [];
    return pairResults(acts).flatMap((act) =>
      act.kind === "call" || act.paired
        ? []
        : [{ pointer: `/tool_call_sequence/${act.result.event}`, message: MESSAGE }],
    );
  },
} as const satisfies RecordRule;

/** Fast path: tells whether each event is a call with an id or the only answer to an earlier call. */
function answersInOrder(events: readonly ToolEvent[]): boolean {
  const waiting = new Set<string>();
  return events.every(({ event, data }) => {
    const id = data?.callId;
    if (id === undefined) return false;
    if (event === "tool_result") return waiting.delete(id);
    return event === "tool_call" && waiting.size < waiting.add(id).size;
  });
}

function findInMessages(pointer: string, messages: readonly Message[]): RuleFault[] {
  const waiting = new Map<string, number>();
  return messages.flatMap(({ role, tool_calls: calls = [], tool_call_id: id = "" }, index) => {
    for (const call of calls) waiting.set(call.id, (waiting.get(call.id) ?? 0) + 1);
    if (role !== "tool") return [];
    const count = waiting.get(id) ?? 0;
    waiting.set(id, count - 1);
    return count > 0 ? [] : [{ pointer: `${pointer}/${index}`, message: MESSAGE }];
  });
}
