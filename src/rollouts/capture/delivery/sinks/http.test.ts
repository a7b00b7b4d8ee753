import { afterEach, expect, test } from "vitest";
import { eventually } from "../../../../base/testing/eventually.js";
import {
  type Answer,
  answerHalf,
  answerOk,
  answerReset,
  answerStatus,
  startServer,
  type TestServer,
} from "../../../../base/testing/start-server.js";
import { UserError } from "../../../../base/user-error.js";
import { createHttpSink, type HttpSinkOptions, type HttpSinkParts } from "./http.js";
import type { Sink } from "./sink.js";
import { SinkError } from "./sink.js";

let server: TestServer | undefined;
let sink: Sink | undefined;
afterEach(async () => {
  await sink?.close();
  await server?.close();
});

/** A sink and a server that gives these answers in order, then the last one for ever. */
async function open(
  answers: readonly Answer[],
  options: Partial<HttpSinkOptions> = {},
  parts: HttpSinkParts = {},
): Promise<{ sink: Sink; server: TestServer; waits: number[] }> {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  server = await startServer((response, number, request) =>
    (answers[number] ?? answers.at(-1) ?? answerOk)(response, number, request),
  );
  const given = { type: "http", url: server.url, ...options } as const;
  sink = createHttpSink(given, { env: {}, random: () => 1, now: () => 0, sleep, ...parts });
  return { sink, server, waits };
}

async function failureOf(promise: Promise<void>): Promise<SinkError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof SinkError)) throw new TypeError(`not a SinkError: ${error}`);
  return error;
}

test("records are posted as JSON Lines, with a key", async () => {
  const { sink, server } = await open([answerOk]);
  await sink.write([{ a: 1 }, { b: "\ud800\n" }]);
  const [request] = server.received;
  expect(request?.body).toBe('{"a":1}\n{"b":"\\ud800\\n"}\n');
  expect(request?.headers["content-type"]).toBe("application/x-ndjson");
  expect(request?.key).toMatch(/^[0-9a-f-]{36}$/);
});

test("records are posted as an array if the format is json", async () => {
  const { sink, server } = await open([answerOk], { format: "json" });
  await sink.write([{ a: 1 }, { b: 2 }]);
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual([{ a: 1 }, { b: 2 }]);
  expect(server.received[0]?.headers["content-type"]).toBe("application/json");
});

test("an empty write posts nothing", async () => {
  const { sink, server } = await open([answerOk]);
  await sink.write([]);
  expect(server.received).toEqual([]);
});

test.each([
  ["408", answerStatus(408)],
  ["500", answerStatus(500)],
  ["503", answerStatus(503)],
  ["407", answerStatus(407)],
  ["a connection that is reset", answerReset],
  ["a body that ends half-way", answerHalf],
])("%s: the records are sent again under the same key, at growing intervals", async (_, answer) => {
  const { sink, server, waits } = await open([answer, answer, answer, answerOk]);
  await sink.write([{ a: 1 }]);
  expect(server.received).toHaveLength(4);
  expect(new Set(server.received.map(({ key }) => key)).size).toBe(1);
  expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
  expect(waits).toEqual([500, 1000, 2000]);
});

test("an attempt ends at the timeout if the server does not answer", async () => {
  const { sink, waits } = await open([() => {}], { timeoutMs: 50, retries: 1 });
  const error = await failureOf(sink.write([{ a: 1 }]));
  expect(error.message).toMatch(/^POST http:\/\/127.0.0.1:\d+\/ingest: no answer within 50 ms$/);
  expect([error.kind, waits.length]).toEqual(["unavailable", 1]);
});

test("an attempt ends at the timeout if the response never ends", async () => {
  const endless: Answer = (response) => {
    response.writeHead(200).write("and");
  };
  const { sink } = await open([endless], { timeoutMs: 50, retries: 0 });
  expect((await failureOf(sink.write([{}]))).message).toContain("no answer within 50 ms");
});

test("a port at which nobody listens is a network error", async () => {
  // The port of a server that was closed may belong to another program by now.
  const { sink } = await open([answerOk], { retries: 0, url: "http://127.0.0.1:2/" });
  const error = await failureOf(sink.write([{}]));
  expect([error.kind, error.message]).toEqual([
    "unavailable",
    expect.stringContaining("ECONNREFUSED"),
  ]);
});

test.each([
  ["7", 7_000],
  ["0", 500],
  ["Thu, 01 Jan 1970 00:00:09 GMT", 9_000],
  ["Wed, 31 Dec 1969 00:00:00 GMT", 500],
  ["99999999999", 900_000],
  ["soon", 500],
  ["-5", 500],
])("Retry-After: %s waits %d ms", async (value, ms) => {
  const { sink, waits } = await open([answerStatus(429, { "retry-after": value }), answerOk]);
  await sink.write([{}]);
  expect(waits).toEqual([ms]);
});

test.each([400, 402, 413, 422, 451])("%d rejects the records: no retry", async (status) => {
  const { sink, server } = await open([answerStatus(status)]);
  const error = await failureOf(sink.write([{}]));
  expect([error.kind, server.received.length]).toEqual(["rejected", 1]);
  expect(error.message).toMatch(new RegExp(`/ingest: ${status}: because of ${status}$`));
});

test.each([
  [401, "renew them"],
  [403, "more rights"],
  [404, "check the url"],
])("%d is a misconfiguration, with advice", async (status, advice) => {
  const { sink, server } = await open([answerStatus(status)]);
  const error = await failureOf(sink.write([{}]));
  expect([error.kind, server.received.length]).toEqual(["misconfigured", 1]);
  expect(error.message).toContain(advice);
  expect(error.message).toContain(`; ${status}: because of ${status}`);
});

test("a redirect is not followed: it would send the headers to another host", async () => {
  const { sink, server } = await open([answerStatus(307, { location: "/other" })], { retries: 0 });
  const error = await failureOf(sink.write([{}]));
  expect([error.kind, server.received.length]).toEqual(["unavailable", 1]);
  expect(error.message).toContain("redirects are not followed");
});

test("headers come from the options, then from the environment", async () => {
  const env = {
    ROLLOUT_WIRE_HTTP_TOKEN: "token-1234\n",
    ROLLOUT_WIRE_HTTP_HEADERS: '{"x-a": "env", "x-b": "env"}',
  };
  const { sink, server } = await open([answerOk], { headers: { "X-A": "option" } }, { env });
  await sink.write([{}]);
  const headers = server.received[0]?.headers;
  expect([headers?.authorization, headers?.["x-a"], headers?.["x-b"]]).toEqual([
    "Bearer token-1234",
    "option",
    "env",
  ]);
});

test("the variables may have other names, and the URL may have credentials", async () => {
  const { server } = await open([answerOk]);
  const url = server.url.replace("http://", "http://user:p%40ss@");
  const env = { KEYS: '{"x-b": "other"}', ROLLOUT_WIRE_HTTP_HEADERS: '{"x-b": "env"}' };
  const own = createHttpSink({ type: "http", url, headersVariable: "KEYS" }, { env });
  await own.write([{}]);
  const headers = server.received[0]?.headers;
  expect(headers?.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  expect(headers?.["x-b"]).toBe("other");
});

test("no message shows a secret, even if the server's response does", async () => {
  const echo: Answer = (response, _, { headers }) => {
    const said = `${headers.authorization} ${headers["x-key"]} user:p@ss1234 q-secret \u001b[2J`;
    response.writeHead(400).end(said);
  };
  const { server } = await open([echo]);
  const { host } = new URL(server.url);
  const url = `http://user:p%40ss1234@${host}/hooks/T0aB1cD2eF3gH4iJ5?key=q-secret`;
  const own = createHttpSink({ type: "http", url, headers: { "x-key": "k-secret" } }, { env: {} });
  const { message } = await failureOf(own.write([{}]));
  expect(message).not.toMatch(/secret|p@ss|dXNlc|T0aB1|user/);
  expect(message).toContain(`POST http://${host}/hooks/[...]: 400: [...] [...] [...] [...] `);
  expect(message).toContain("\\u001b");
  expect([own.name, own.id].join(" ")).not.toMatch(/secret|T0aB1|user/);
});

test("a long response is shortened, and need not be text", async () => {
  const long: Answer = (response) =>
    response.writeHead(400).end(Buffer.alloc(2 ** 20, "\u0000\u00ff"));
  const { sink } = await open([long]);
  expect((await failureOf(sink.write([{}]))).message.length).toBeLessThan(2_000);
});

test.each<[string, Partial<HttpSinkOptions>, HttpSinkParts["env"], string]>([
  [
    "an invalid URL",
    { url: "secret" },
    {},
    "sink: url must be an absolute http: or https: address",
  ],
  ["a file", { url: "file:///secret" }, {}, "sink: url must be"],
  [
    "a header value with a line break",
    { headers: { "x-a": "secret\nx" } },
    {},
    'headers: the header "x-a"',
  ],
  [
    "a variable that is not JSON",
    {},
    { ROLLOUT_WIRE_HTTP_HEADERS: "secret" },
    "ROLLOUT_WIRE_HTTP_HEADERS: must be",
  ],
  [
    "a variable with a number",
    {},
    { ROLLOUT_WIRE_HTTP_HEADERS: '{"secret": 1}' },
    "ROLLOUT_WIRE_HTTP_HEADERS: the header",
  ],
  ["a timeout of 0", { timeoutMs: 0 }, {}, "sink: timeoutMs must be a number from 1"],
  ["infinite retries", { retries: Number.POSITIVE_INFINITY }, {}, "sink: retries"],
])("%s is an error at once", (_, options, env, message) => {
  const url = "http://127.0.0.1/";
  const create = () => createHttpSink({ type: "http", url, ...options }, { env });
  expect(create).toThrow(UserError);
  expect(create).toThrow(message);
  expect(create).not.toThrow(/"secret\n|absolute.*secret|: secret/);
});

test("closing aborts a write under way, and nothing is posted after it", async () => {
  let isWaiting = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    isWaiting = resolve;
  });
  const { sink, server } = await open([() => isWaiting()]);
  const written = failureOf(sink.write([{}]));
  await waiting;
  await sink.close();
  await sink.close();
  expect((await written).message).toContain("the sink was closed");
  expect((await failureOf(sink.write([{}]))).message).toContain("the sink was closed");
  expect(server.received).toHaveLength(1);
});

test("closing ends the wait between two attempts", async () => {
  const { sink } = await open(
    [answerStatus(503)],
    { retry: { firstDelayMs: 1e8, maxDelayMs: 1e8 } },
    { sleep: undefined },
  );
  const written = failureOf(sink.write([{}]));
  await eventually(() => server?.received.length).toBe(1);
  await sink.close();
  expect((await written).kind).toBe("unavailable");
});
