import { expect, test } from "vitest";
import { holdDeliveries } from "./async-scope.js";

test("what is held comes once it is released, in order, with what comes meanwhile", async () => {
  const { divert, release } = holdDeliveries();
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

test("what is dropped is never delivered", async () => {
  const { divert, drop, release } = holdDeliveries();
  const deliver = (): never => {
    throw new Error("delivered");
  };
  divert(deliver);
  drop();
  expect(await divert(deliver)).toEqual([]);
  await release();
});

test("a delivery that throws ends the release", async () => {
  const { divert, release } = holdDeliveries();
  divert(() => {
    throw new Error("gone");
  });
  await expect(release()).rejects.toThrow("gone");
});
