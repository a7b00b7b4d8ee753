import type { Open, ToolEvent, ToolEventData } from "#generated/index.js";
import type { ToolAct } from "../../conversation/events.js";
import { readRecordEvents } from "../calls.js";
import type { RecordRule } from "./rule.js";

/** Dialects that the exporter reads besides the format's own, and a label for events that match none. */
const FOREIGN = ["nested with name", "flat", "neither a call nor a result"] as const;
type Foreign = (typeof FOREIGN)[number];

/** Reports one finding per record, at the first such event, with counts. `BranchReader` detects such events too. */
export const toolEventDialect = {
  id: "tool-event-dialect",
  purpose: "tool events are nested and name their tool in data.toolName",
  scope: "record",
  check(record, type) {
    const { events, acts } = readRecordEvents(record, type) ?? { events: [], acts: [] };
    if (events.every(namesTool)) return [];
    const firstActs = new Map(acts.toReversed().map((act) => [act.event, act]));
    const dialects = events.map((event, at) => findForeignDialect(event, firstActs.get(at)));
    const first = dialects.findIndex((dialect) => dialect !== undefined);
    if (first < 0) return [];
    const counts = FOREIGN.map((dialect) => ({
      dialect,
      count: dialects.filter((other) => other === dialect).length,
    })).filter(({ count }) => count > 0);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const detail = counts.map(({ dialect, count }) => `${count} ${dialect}`).join(", ");
    return [
      {
        pointer: `/tool_call_sequence/${first}`,
        message: `${total} of ${events.length} tool events in another dialect: ${detail}`,
        cause: counts.map(({ dialect }) => dialect).join(", "),
      },
    ];
  },
} as const satisfies RecordRule;

function namesTool({ data }: ToolEvent): boolean {
  return Boolean(data?.toolName);
}

/** Undefined for an event in the format's own dialect. `act` is the first thing that it says. */
function findForeignDialect(event: ToolEvent, act: ToolAct | undefined): Foreign | undefined {
  if (namesTool(event)) return undefined;
  if (act === undefined) return "neither a call nor a result";
  const data: Open<ToolEventData> | undefined = event.data;
  if (data === undefined) return "flat";
  // A result need not name its tool.
  if (!act.name) return undefined;
  return act.name === data.name ? "nested with name" : "flat";
}
