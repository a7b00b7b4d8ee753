import { expect, test } from "vitest";
import { createRolloutIds } from "./plugin.js";

test("an id is the agent and the time; one of the same millisecond, or of a clock set back, is the next", () => {
  let now = 1_700_000_000_000;
  const createId = createRolloutIds(() => now);
  expect(createId("agent-123")).toBe("agent-123-1700000000000");
  expect(createId("agent-123")).toBe("agent-123-1700000000001");
  expect(createId("other")).toBe("other-1700000000000");
  now -= 5000;
  expect(createId("agent-123")).toBe("agent-123-1700000000002");
});
