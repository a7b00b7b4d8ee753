import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { hasEnded, isProcessIdentity, readOwnIdentity } from "./process-identity.js";

const OWN = readOwnIdentity();
// Only Linux says when a process started.
const isLinux = process.platform === "linux";

test("an identity survives JSON", () => {
  const copy: unknown = JSON.parse(JSON.stringify(OWN));
  expect(isProcessIdentity(copy)).toBe(true);
});

test.each([
  null,
  [],
  {},
  { pid: 1 },
  { pid: 1.5, space: "", start: null },
  { pid: 1, space: 1, start: null },
])("%o is not an identity", (value) => {
  expect(isProcessIdentity(value)).toBe(false);
});

test.runIf(isLinux)("this process is alive; an earlier one with the same pid has ended", () => {
  expect(hasEnded(OWN)).toBe(false);
  expect(hasEnded({ ...OWN, start: "1" })).toBe(true);
});

test("a child that exited has ended", async () => {
  const child = spawn(process.execPath, ["--version"]);
  const pid = child.pid ?? 0;
  await once(child, "close");
  expect(hasEnded({ ...OWN, pid })).toBe(true);
});

test("undefined for another machine or container, or without a start time", () => {
  expect(hasEnded({ ...OWN, space: "elsewhere" })).toBeUndefined();
  expect(hasEnded({ ...OWN, start: null })).toBeUndefined();
  // To `kill`, this is a process group.
  expect(hasEnded({ ...OWN, pid: 0 })).toBeUndefined();
  expect(hasEnded({ ...OWN, pid: -1 })).toBeUndefined();
});
