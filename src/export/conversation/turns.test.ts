import { describe, expect, test } from "vitest";
import type { ToolEvent } from "#generated/index.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { buildingRollout, lossWeightLabel, oncePerRollout, readTurns } from "./turns.js";

describe("readTurns", () => {
  const call = (id: string, batchId?: string): ToolEvent => ({
    event: "tool_call",
    data: { callId: id, ...(batchId === undefined ? {} : { batchId }) },
  });
  const result = (id: string, error: string | null = null) =>
    createEvent({ event: "tool_result", data: { callId: id, error } });

  const turns = (...events: ToolEvent[]) =>
    readTurns(events).map(({ calls }) => calls.map(({ id }) => id).join(""));

  test("calls of one batchId belong together, with results between them too", () => {
    expect(turns(call("a", "b0"), call("b", "b0"), call("c", "b1"))).toEqual(["ab", "c"]);
    expect(turns(call("a", "b0"), result("a"), call("b", "b0"), result("b"))).toEqual(["ab"]);
  });

  test("a batchId that returns after another turn begins a new one", () => {
    expect(turns(call("a", "b0"), call("b", "b1"), call("c", "b0"))).toEqual(["a", "b", "c"]);
    expect(turns(call("a", "b0"), call("b"), call("c", "b0"))).toEqual(["a", "b", "c"]);
  });

  test("calls without batchId belong together until a result comes", () => {
    expect(turns(call("a"), call("b"), result("a"), call("c"))).toEqual(["ab", "c"]);
    expect(turns(call("a"), result("stray"), call("b"))).toEqual(["a", "b"]);
  });

  test("results before any call stand in a turn without calls", () => {
    const [first, second, ...rest] = readTurns([result("z"), call("a"), result("y")]);
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

  test("a turn follows an error only when it began after it", () => {
    const follows = (...events: ToolEvent[]) => readTurns(events).map((turn) => turn.followsError);
    expect(follows(call("a"), result("a", "down"), call("b"))).toEqual([false, true]);
    expect(follows(call("a", "b0"), result("a", "down"), call("b", "b0"))).toEqual([false]);
    expect(follows(call("a", "b0"), call("b", "b1"), result("b"), result("a", "down"))).toEqual([
      false,
      false,
    ]);
    expect(follows(result("stray", "down"), call("a"))).toEqual([false, true]);
  });
});

describe("lossWeightLabel", () => {
  const label = (events: ToolEvent[], final_answer = "four") =>
    lossWeightLabel(createBranch({ tool_call_sequence: events, final_answer }));

  const good: ToolEvent = { tool_name: "get", args: {}, result: "x" };
  const bad: ToolEvent = { tool_name: "get", args: {}, result: "x", error: "down" };
  const said: ToolEvent = { tool_name: "get", args: {}, result: "x", text: "So far so good." };

  test("default when nothing happened", () => {
    expect(label([])).toBe("default");
    expect(label([good, good])).toBe("default");
    expect(
      label([
        { ...good, error: null },
        { ...said, text: "" },
      ]),
    ).toBe("default");
  });

  test("recovery when calls or an answer follow an error", () => {
    expect(label([bad])).toBe("recovery");
    expect(label([bad, good], "")).toBe("recovery");
    expect(label([{ tool_name: "get", error: "no call of its own" }])).toBe("recovery");
  });

  test("an error that nothing follows is no recovery", () => {
    expect(label([good, bad], "")).toBe("default");
  });

  test("state_summary when a call carries text, unless there was a recovery", () => {
    expect(label([good, said])).toBe("state_summary");
    expect(label([said, bad])).toBe("recovery");
    expect(label([said, bad], "")).toBe("state_summary");
  });
});

describe("oncePerRollout", () => {
  const copy = oncePerRollout((value: object) => ({ ...value }));
  const value = { a: 1 };

  test("while a rollout is built there is one result for each argument", () => {
    buildingRollout(() => {
      expect(copy(value)).toBe(copy(value));
      expect(copy(value)).toEqual(value);
      expect(copy({ a: 1 })).not.toBe(copy(value));
    });
  });

  test("at other times, and for the next rollout, there is a new one", () => {
    expect(copy(value)).not.toBe(copy(value));
    const first = buildingRollout(() => copy(value));
    expect(buildingRollout(() => copy(value))).not.toBe(first);
  });

  test("nothing is kept when the building fails", () => {
    const results: object[] = [];
    const fail = () => {
      results.push(copy(value));
      throw new Error("failed");
    };
    expect(() => buildingRollout(fail)).toThrow("failed");
    expect(copy(value)).not.toBe(results[0]);
    expect(copy(value)).not.toBe(copy(value));
  });
});
