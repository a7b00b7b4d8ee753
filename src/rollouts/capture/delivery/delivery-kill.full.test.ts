import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { bundleFile } from "../../../base/testing/build-program.js";
import { eventually } from "../../../base/testing/eventually.js";
import {
  type Answer,
  answerHalf,
  answerOk,
  answerReset,
  answerStatus,
  startServer,
  type TestServer,
} from "../../../base/testing/start-server.js";
import { useFolder } from "../../../base/testing/use-folder.js";
import { createDelivery } from "./create-delivery.js";
import { createHttpSink } from "./sinks/http.js";

const SCRIPT = fileURLToPath(new URL("testing/push-records.ts", import.meta.url));
const inFolder = useFolder();

let server: TestServer | undefined;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await server?.close();
});

/** Every temporary failure, in a fixed order. */
const FAULTY: readonly Answer[] = [
  answerOk,
  answerStatus(503),
  answerOk,
  answerHalf,
  answerReset,
  answerOk,
  answerStatus(429, { "retry-after": "0" }),
  answerOk,
];

/** Runs a process that pushes from `first`, kills it after `count` records; gives the last one pushed. */
async function pushAndKill(url: string, first: number, count: number): Promise<number> {
  const args = [bundleFile(SCRIPT), url, inFolder("spool"), String(first)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (text.split("\n").length > count) child.kill("SIGKILL");
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  const lines = text.split("\n");
  lines.pop();
  return Number(lines.at(-1));
}

function numbersOf(body: string): number[] {
  return body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).number);
}

test("SIGKILL loses no pushed record, and a batch keeps its key and its records", async () => {
  const arrived = new Set<number>();
  let isDown = false;
  server = await startServer((response, number, request) => {
    const answer = isDown ? answerReset : (FAULTY[number % FAULTY.length] ?? answerOk);
    if (answer === answerOk) for (const each of numbersOf(request.body)) arrived.add(each);
    answer(response, number, request);
  });
  // Two processes at a time share the spool. Their record numbers differ, so that neither hides a loss of
  // the other.
  const lasts = [0, 1_000_000];
  for (const count of [5, 40, 120]) {
    // The last pair is sure to leave something.
    isDown = count === 120;
    const { url } = server;
    const runs = lasts.map((last, index) => pushAndKill(url, last + 1, count + index * 5));
    for (const [index, last] of (await Promise.all(runs)).entries()) lasts[index] = last;
  }
  isDown = false;
  const retry = { firstDelayMs: 1, maxDelayMs: 5 };
  const sink = createHttpSink({ type: "http", url: server.url, retry });
  const last = createDelivery({ sink, spoolDir: inFolder("spool") });
  await eventually(() => last.stats().recovered).toBeGreaterThan(0);
  await eventually(() => last.stats().state).toBe("idle");
  await last.close();
  const pushed = [1, 1_000_001].flatMap((first, index) =>
    Array.from({ length: (lasts[index] ?? 0) - first + 1 }, (_, offset) => first + offset),
  );
  expect(pushed.length).toBeGreaterThan(300);
  expect(pushed.filter((number) => !arrived.has(number))).toEqual([]);
  const bodies = new Map<string, string>();
  for (const { key, body } of server.received) {
    expect(bodies.get(key) ?? body).toBe(body);
    bodies.set(key, body);
  }
  expect(bodies.size).toBeLessThan(server.received.length);
  expect(readdirSync(inFolder("spool"))).toEqual([]);
});

test.each(["failing", "idle"])(
  "an open delivery that is %s does not keep the process alive",
  async (state) => {
    const script = fileURLToPath(new URL("testing/stay-open.ts", import.meta.url));
    const args = [bundleFile(script), inFolder("spool"), state];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    expect(await once(child, "close")).toEqual([0, null]);
  },
);
