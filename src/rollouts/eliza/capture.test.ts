import { expect, test } from "vitest";
import { createJobQueue } from "./capture.js";

test("jobs run later and in order, and what they throw is reported", async () => {
  const done: number[] = [];
  const reported: unknown[] = [];
  const { add, settled } = createJobQueue((error) => reported.push(error));
  const thrown = new Error("a bug");
  const rejected = new Error("another bug");
  add(() => void done.push(1));
  add(() => {
    throw thrown;
  });
  add(() => Promise.reject(rejected));
  add(() => void done.push(2));
  expect(done).toEqual([]);
  await settled();
  expect(done).toEqual([1, 2]);
  expect(reported).toEqual([thrown, rejected]);
  await settled();
});

test("other work runs between jobs, and no job waits for another's promise", async () => {
  const { add, settled } = createJobQueue(() => {});
  const order: string[] = [];
  const busy = (name: string) => (): void => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    order.push(name);
  };
  let release: () => void = () => {};
  add(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  add(busy("one"));
  setImmediate(() => setImmediate(() => order.push("other")));
  add(busy("two"));
  add(busy("three"));
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(order.indexOf("other")).toBeLessThan(3);
  expect(order.filter((each) => each !== "other")).toEqual(["one", "two", "three"]);
  let isSettled = false;
  const all = settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  release();
  await all;
});

test("no more jobs wait than the limit allows", async () => {
  const { add, settled } = createJobQueue(() => {});
  let done = 0;
  for (let job = 0; job < 5000; job += 1) {
    add(() => {
      done += 1;
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBeGreaterThanOrEqual(4000);
  await settled();
  expect(done).toBe(5000);
});
