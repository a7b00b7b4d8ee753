import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { startProgress } from "./progress.js";

test.each<[isTTY: boolean, env: Record<string, string>, isShown: boolean]>([
  [true, { TERM: "xterm" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { TERM: "xterm" }, false],
])("a terminal: %s, environment: %j: a bar is shown: %s", async (isTTY, env, isShown) => {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const progress = await startProgress([], { cwd: "/", stderr, env });
  progress.stop();
  expect(stderr.readableLength > 0).toBe(isShown);
});
