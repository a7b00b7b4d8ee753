import {
  type EntryTypeName,
  isDpoTrainingRecord,
  isPpoTrainingRecord,
  isRolloutBranch,
  type ToolDefinition,
} from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount, previewValue } from "../../../../base/text.js";
import { type PlacedCall, readEventCalls, readMessageCalls } from "../calls.js";
import { isBranchType } from "../structure.js";
import type { RecordRule } from "./rule.js";

/** The tools that a model was offered, and its calls. */
interface Offer {
  readonly tools: readonly ToolDefinition[];
  /** The field that declares them. */
  readonly field: string;
  /** Several lists may tell of the same calls. */
  readonly calls: readonly (readonly PlacedCall[])[];
}

/**
 * A chat template shows the model the declared tools, and then a call of another one. One finding per name, at its
 * first call; a name is counted in the first list that contains it. `BranchReader` parses the tool events of
 * branches that declare tools.
 */
export const undeclaredTool = {
  id: "undeclared-tool",
  purpose: "every call is of a tool that the model was offered",
  scope: "record",
  check(record, type) {
    const offer = readOffer(record, type);
    if (offer === undefined) return [];
    // An event without a name cannot be looked up.
    const known = new Set(["", ...offer.tools.map((tool) => tool.function.name)]);
    return offer.calls.flatMap((calls) => {
      const unknown = calls.filter(({ name }) => !known.has(name));
      return countByName(unknown).map(({ pointer, name, count }) => {
        known.add(name);
        const message = `${formatCount(count, "call")} of ${previewValue(name)}, which ${offer.field} does not declare`;
        return { pointer, message, cause: name };
      });
    });
  },
} as const satisfies RecordRule;

/** The first call of each name, and how many there are. */
function countByName(calls: readonly PlacedCall[]): (PlacedCall & { readonly count: number })[] {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return calls.flatMap((call) => {
    const count = counts.get(call.name) ?? 0;
    counts.delete(call.name);
    return count > 0 ? [{ ...call, count }] : [];
  });
}

/** Undefined if the record does not say which tools were offered. */
function readOffer(record: JsonObject, type: EntryTypeName): Offer | undefined {
  if (isBranchType(type)) return readBranchOffer(record);
  if (record.tools === undefined) return undefined;
  // Records are open, so one may be valid for several types. `type` determines which is meant.
  if (type === "DpoTrainingRecord" && isDpoTrainingRecord(record)) {
    const { tools = [], messages, prompt_messages } = record;
    const calls = [
      readMessageCalls(messages, "/messages"),
      readMessageCalls(prompt_messages, "/prompt_messages"),
    ];
    return { tools, field: "tools", calls };
  }
  if (type === "PpoTrainingRecord" && isPpoTrainingRecord(record)) {
    const { tools = [], messages } = record;
    return { tools, field: "tools", calls: [readMessageCalls(messages, "/messages")] };
  }
  return undefined;
}

function readBranchOffer(record: JsonObject): Offer | undefined {
  const { context } = record;
  // Most branches have no context.
  if (!isJsonObject(context) || context.tools === undefined) return undefined;
  if (!isRolloutBranch(record)) return undefined;
  const { turns = [], tool_call_sequence: events } = record;
  const calls = [readMessageCalls(turns, "/turns"), readEventCalls(events)];
  return { tools: record.context?.tools ?? [], field: "context.tools", calls };
}
