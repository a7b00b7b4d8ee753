import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { hasEnded, isProcessIdentity, readOwnIdentity } from "./owners.js";

const OWN = readOwnIdentity();
// Only Linux tells when a process began.
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
])("%o is none", (value) => {
  expect(isProcessIdentity(value)).toBe(false);
});

test.runIf(isLinux)("this process lives; one that had its number before has ended", () => {
  expect(hasEnded(OWN)).toBe(false);
  expect(hasEnded({ ...OWN, start: "1" })).toBe(true);
});

test("a child that has gone has ended", async () => {
  const child = spawn(process.execPath, ["--version"]);
  const pid = child.pid ?? 0;
  await once(child, "close");
  expect(hasEnded({ ...OWN, pid })).toBe(true);
});

test("of another machine or container nothing is known, nor without the time of its beginning", () => {
  expect(hasEnded({ ...OWN, space: "elsewhere" })).toBeUndefined();
  expect(hasEnded({ ...OWN, start: null })).toBeUndefined();
  // A group of processes to `kill`.
  expect(hasEnded({ ...OWN, pid: 0 })).toBeUndefined();
  expect(hasEnded({ ...OWN, pid: -1 })).toBeUndefined();
});
