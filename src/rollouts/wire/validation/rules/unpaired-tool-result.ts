import { isDpoTrainingRecord, isPpoTrainingRecord, type Message } from "#generated/index.js";
import { type Act, findStrayResults } from "../../conversation/pairing.js";
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
    const { acts } = readRecordEvents(record, type) ?? { acts: [] };
    return findStrayResults(acts).map(({ event }) => ({
      pointer: `/tool_call_sequence/${event}`,
      message: MESSAGE,
    }));
  },
} as const satisfies RecordRule;

/** A result without an id answers nothing here: every call of a message has an id. */
function findInMessages(pointer: string, messages: readonly Message[]): RuleFault[] {
  const acts = messages.flatMap(
    ({ role, tool_calls: calls = [], tool_call_id: callId = "" }, index): (Act & Placed)[] => [
      ...calls.map(({ id }) => ({ kind: "call", id, name: "", index }) as const),
      ...(role === "tool" ? [{ kind: "result", callId, name: undefined, index } as const] : []),
    ],
  );
  return findStrayResults(acts).map(({ index }) => ({
    pointer: `${pointer}/${index}`,
    message: MESSAGE,
  }));
}

interface Placed {
  /** Index of the message. */
  readonly index: number;
}
