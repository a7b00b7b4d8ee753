import type { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { buildProgram } from "../../base/testing/build-program.js";
import { createProgramFolder } from "../../base/testing/program-folder.js";
import { startProgram } from "../../base/testing/run-program.js";
import { toJob } from "../worker/testing/engine.js";

const { main } = buildProgram();

const folder = createProgramFolder();
afterAll(() => folder.remove());

test("an engine that reads nothing stops the worker, and loses nothing when it reads", async () => {
  const options = { cwd: folder.cwd, env: folder.env, main };
  const { process: worker, ending } = startProgram(["worker"], options);
  const lines = toJsonl(
    Array.from({ length: 100_000 }, (_, index) => ({ rollout_id: `r-${index}` })),
  );
  const stdout = worker.stdout as Readable;
  // The listeners of `start` read everything. Without them, nothing is read.
  stdout.removeAllListeners("data").pause();
  const frames = toJob({ call: "keys" }, lines, 2 ** 16);
  for (let at = 0; at < frames.length; at += 2 ** 16) {
    worker.stdin?.write(frames.subarray(at, at + 2 ** 16));
  }
  const taken = (): number => frames.length - (worker.stdin?.writableLength ?? 0);
  let before = -1;
  while (taken() !== before) {
    before = taken();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(taken()).toBeLessThan(frames.length / 2);
  let answers = 0;
  stdout.on("data", (text: string) => {
    answers += text.split("\n").length - 1;
  });
  stdout.resume();
  worker.stdin?.end();
  expect((await ending).exitCode).toBe(0);
  expect(answers).toBe(100_000);
});
