import { expect, test } from "vitest";
import type { ToolEvent } from "#generated/index.js";
import { createEvent } from "../export/testing/create-event.js";
import { readEvents } from "./turns.js";

const call = (id: string, batchId?: string): ToolEvent => ({
  event: "tool_call",
  data: { callId: id, ...(batchId === undefined ? {} : { batchId }) },
});
const result = (id: string, error: string | null = null) =>
  createEvent({ event: "tool_result", data: { callId: id, error } });

const turns = (...events: ToolEvent[]) =>
  readEvents(events).turns.map(({ calls }) => calls.map(({ id }) => id).join(""));

test("calls with the same batchId belong together, even with results between them", () => {
  expect(turns(call("a", "b0"), call("b", "b0"), call("c", "b1"))).toEqual(["ab", "c"]);
  expect(turns(call("a", "b0"), result("a"), call("b", "b0"), result("b"))).toEqual(["ab"]);
});

test("a batchId that reappears after another turn begins a new turn", () => {
  expect(turns(call("a", "b0"), call("b", "b1"), call("c", "b0"))).toEqual(["a", "b", "c"]);
  expect(turns(call("a", "b0"), call("b"), call("c", "b0"))).toEqual(["a", "b", "c"]);
});

test("calls without a batchId belong together until a result arrives", () => {
  expect(turns(call("a"), call("b"), result("a"), call("c"))).toEqual(["ab", "c"]);
  expect(turns(call("a"), result("stray"), call("b"))).toEqual(["a", "b"]);
});

test("results before any call form a turn without calls", () => {
  const [first, second, ...rest] = readEvents([result("z"), call("a"), result("y")]).turns;
  expect([first?.calls.length, first?.strayResults.map(({ callId }) => callId)]).toEqual([
    0,
    ["z"],
  ]);
  expect([second?.calls.length, second?.strayResults.map(({ callId }) => callId)]).toEqual([
    1,
    ["y"],
  ]);
  expect(rest).toEqual([]);
});

test("a turn follows an error only if it began after it", () => {
  const follows = (...events: ToolEvent[]) =>
    readEvents(events).turns.map((turn) => turn.followsError);
  expect(follows(call("a"), result("a", "down"), call("b"))).toEqual([false, true]);
  expect(follows(call("a", "b0"), result("a", "down"), call("b", "b0"))).toEqual([false]);
  expect(follows(call("a", "b0"), call("b", "b1"), result("b"), result("a", "down"))).toEqual([
    false,
    false,
  ]);
  expect(follows(result("stray", "down"), call("a"))).toEqual([false, true]);
});

test("an event that is neither a call nor a result is in no turn", () => {
  const { turns, unreadable } = readEvents([createEvent({ note: "?" }), call("a")]);
  expect(turns.map(({ calls }) => calls.length)).toEqual([1]);
  expect(unreadable).toEqual([0]);
});
