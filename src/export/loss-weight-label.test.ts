import { expect, test } from "vitest";
import type { ToolEvent } from "#generated/index.js";
import { lossWeightLabel } from "./loss-weight-label.js";
import { createBranch } from "./testing/create-branch.js";

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
