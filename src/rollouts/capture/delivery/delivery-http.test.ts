import { afterEach, expect, test } from "vitest";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { eventually } from "../../../base/testing/eventually.js";
import { numbersUpTo } from "../../../base/testing/numbered-sink.js";
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
import type { Delivery } from "./delivery.js";
import { createHttpSink, type HttpSinkOptions } from "./sinks/http.js";

const inFolder = useFolder();
let server: TestServer | undefined;
let delivery: Delivery | undefined;
afterEach(async () => {
  await delivery?.close();
  await server?.close();
});

/** A delivery and a server that gives these answers in order, then 200. */
async function open(answers: readonly Answer[], options: Partial<HttpSinkOptions> = {}) {
  server = await startServer((response, number, request) =>
    (answers[number] ?? answerOk)(response, number, request),
  );
  const retry = { firstDelayMs: 1, maxDelayMs: 2 };
  const headers = { authorization: "Bearer very-secret" };
  const given = { type: "http", url: server.url, retry, headers, ...options } as const;
  const sink = createHttpSink(given, { env: {} });
  const { logger, messages } = collectMessages();
  delivery = createDelivery({ sink, spoolDir: inFolder("spool"), logger, batchSize: 5 });
  return { delivery, server, messages };
}

function numbersOf(body: string): number[] {
  const lines = body.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).number);
}

test("all records arrive in order although the server fails in every way", async () => {
  const hang: Answer = () => {};
  const answers = [
    answerStatus(503),
    answerOk,
    hang,
    answerStatus(429, { "retry-after": "0.01" }),
    answerReset,
    answerOk,
    answerHalf,
    answerStatus(408),
    answerStatus(500),
    answerOk,
  ];
  const { delivery, server, messages } = await open(answers, { timeoutMs: 1_000 });
  for (const number of numbersUpTo(20)) delivery.push({ number });
  await eventually(() => delivery.stats().state).toBe("idle");
  const bodies = new Map(server.received.map(({ key, body }) => [key, body]));
  for (const { key, body } of server.received) expect(bodies.get(key)).toBe(body);
  expect([...bodies.values()].flatMap(numbersOf)).toEqual(numbersUpTo(20));
  // More if the machine is so busy that a good attempt times out.
  expect(server.received.length).toBeGreaterThanOrEqual(11);
  expect(delivery.stats().failedAttempts).toBeGreaterThanOrEqual(7);
  expect(delivery.stats()).toMatchObject({ delivered: 20, dropped: 0 });
  expect(messages.join()).not.toContain("secret");
});

test("a rejected batch is kept, and the rest arrives", async () => {
  const { delivery, server, messages } = await open([answerOk, answerStatus(400), answerOk]);
  for (const number of numbersUpTo(15)) delivery.push({ number });
  await delivery.close();
  expect(server.received.map(({ body }) => numbersOf(body)[0])).toEqual([0, 5, 10]);
  expect(delivery.stats()).toMatchObject({ delivered: 10, rejected: 5 });
  expect(messages).toEqual([
    expect.stringContaining("rejected 5 records, and perhaps more: POST http"),
  ]);
});

test("records wait while no server listens", async () => {
  // The port of a server that was closed may belong to another program by now.
  const { delivery } = await open([], { url: "http://127.0.0.1:2/" });
  delivery.push({ number: 0 });
  await eventually(() => delivery.stats().failedAttempts).toBeGreaterThan(2);
  expect(delivery.stats()).toMatchObject({ state: "failing", queued: 1 });
  expect(delivery.stats().lastError).toContain("ECONNREFUSED");
});

test("close does not wait for a server that hangs", async () => {
  const { delivery } = await open([() => {}], { timeoutMs: 200 });
  delivery.push({ number: 0 });
  await delivery.close();
  expect(delivery.stats()).toMatchObject({ state: "closed", queued: 1, dropped: 0 });
});

test("an expired token rejects nothing: records wait, with one message", async () => {
  const answers = numbersUpTo(10).map((number) => answerStatus(number === 0 ? 503 : 401));
  const { delivery, server, messages } = await open(answers);
  for (const number of numbersUpTo(15)) delivery.push({ number });
  await eventually(() => delivery.stats().state).toBe("idle");
  const bodies = new Map(server.received.map(({ key, body }) => [key, body]));
  expect([...bodies.values()].flatMap(numbersOf)).toEqual(numbersUpTo(15));
  expect(delivery.stats()).toMatchObject({ delivered: 15, rejected: 0, dropped: 0 });
  expect(messages).toEqual([
    expect.stringMatching(/^warn: .* does not accept records.*: 503/),
    expect.stringMatching(
      /^error: .* does not accept records.*: the credentials are missing or have/,
    ),
    expect.stringContaining("accepts records again, after 10 failed attempts"),
  ]);
});
