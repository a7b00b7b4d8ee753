import { expect, test } from "vitest";
import { onEndingSignal } from "./ending-signals.js";

test("all clean-ups share one signal listener, which is removed with the last of them", () => {
  const before = process.listenerCount("SIGTERM");
  const releases = Array.from({ length: 20 }, () => onEndingSignal(() => {}));
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  const [first, ...others] = releases;
  for (const release of others) release();
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  first?.();
  expect(process.listenerCount("SIGTERM")).toBe(before);
});
