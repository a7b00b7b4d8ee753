import { expect, test } from "vitest";
import { bufferCallbacks } from "./async-scope.js";

test("release makes the buffered calls in order, including those made meanwhile", async () => {
  const { divert, release } = bufferCallbacks();
  const heard: string[] = [];
  divert(async () => {
    heard.push("one");
    divert(() => heard.push("three"));
  });
  expect(await divert(() => heard.push("two"))).toEqual([]);
  expect(heard).toEqual([]);
  await release();
  expect(heard).toEqual(["one", "two", "three"]);
  expect(divert(() => "at once")).toBe("at once");
});

test("dropped calls are never made", async () => {
  const { divert, drop, release } = bufferCallbacks();
  const deliver = (): never => {
    throw new Error("delivered");
  };
  divert(deliver);
  drop();
  expect(await divert(deliver)).toEqual([]);
  await release();
});

test("a call that throws ends the release", async () => {
  const { divert, release } = bufferCallbacks();
  divert(() => {
    throw new Error("gone");
  });
  await expect(release()).rejects.toThrow("gone");
});
