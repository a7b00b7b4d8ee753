import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleepFor } from "node:timers/promises";
import {
  type KnownOptions,
  MAX_TIMER_MS,
  requireKnownOptions,
  requireNumber,
} from "../../../../base/options.js";
import { escapeControls } from "../../../../base/text.js";
import { EXIT, UserError } from "../../../../base/user-error.js";
import {
  type HeaderSources,
  parseRetryAfter,
  parseSinkUrl,
  type RetryPolicy,
  readHttpHeaders,
  readRetryPolicy,
  retryDelay,
} from "./http-request.js";
import { type Batch, type Sink, SinkError, shortHash, toLines } from "./sink.js";

/** Posts the records in batches, each with an `Idempotency-Key`. */
export interface HttpSinkOptions extends HeaderSources {
  readonly type: "http";
  /** `http:` or `https:`. A user and a password in it become basic authentication. */
  readonly url: string | URL;
  /** `jsonl` (default): `application/x-ndjson`, one record per line. `json`: an array. */
  readonly format?: "jsonl" | "json";
  /** Timeout of one attempt, up to the end of the response, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** How often `write` retries before it fails. A delivery ignores this and retries for ever. Default 4. */
  readonly retries?: number;
}

/** What a test replaces. */
export interface HttpSinkParts {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const OPTIONS: KnownOptions<HttpSinkOptions> = {
  type: true,
  url: true,
  format: true,
  headers: true,
  headersVariable: true,
  tokenVariable: true,
  timeoutMs: true,
  retry: true,
  retries: true,
};

const CONTENT_TYPES = { jsonl: "application/x-ndjson", json: "application/json" } as const;
/** Practically for ever. */
const MAX_RETRIES = 2 ** 31 - 1;
/** How much of a response is kept, in bytes. */
const MAX_KEPT_BYTES = 4096;

/** Throws UserError (exit 2) for options that cannot work. No message shows headers or credentials. */
export function createHttpSink(options: HttpSinkOptions, parts: HttpSinkParts = {}): Sink {
  requireKnownOptions("sink:", options, OPTIONS);
  const { format = "jsonl", timeoutMs = 10_000, retries = 4 } = options;
  const retry = readRetryPolicy(options.retry);
  const { env = process.env, now = Date.now, random = Math.random, sleep = abortableSleep } = parts;
  if (!Object.hasOwn(CONTENT_TYPES, format)) {
    throw new UserError('sink: format must be "jsonl" or "json"', EXIT.usage);
  }
  requireNumber("sink: timeoutMs", timeoutMs, 1, MAX_TIMER_MS);
  requireNumber("sink: retries", retries, 0, MAX_RETRIES);
  const { url, credentials } = parseSinkUrl(options.url);
  const headers = readHttpHeaders(options, env);
  if (credentials !== undefined && !headers.has("authorization")) {
    headers.set("authorization", `Basic ${credentials}`);
  }
  if (!headers.has("content-type")) headers.set("content-type", CONTENT_TYPES[format]);
  const name = redactUrl(url);
  const redact = createTextRedactor(headers, url);
  const ending = new AbortController();
  // Each write under way adds a listener.
  setMaxListeners(0, ending.signal);

  const fail = (kind: SinkError["kind"], what: string, retryAfterMs?: number): SinkError =>
    new SinkError(kind, `POST ${name}: ${redact(what)}`, retryAfterMs);

  async function post({ key, lines }: Batch): Promise<{ response: Response; text: string }> {
    const body = format === "json" ? `[${lines.join(",")}]` : `${lines.join("\n")}\n`;
    const sent = new Headers(headers);
    sent.set("idempotency-key", key);
    // Not AbortSignal.any: the sink's signal would keep each result alive as long as the sink.
    const aborter = new AbortController();
    const abort = (): void => aborter.abort();
    const timer = setTimeout(abort, timeoutMs);
    ending.signal.addEventListener("abort", abort);
    if (ending.signal.aborted) abort();
    try {
      // A redirect would send the headers, with their secrets, to a host that the user did not name.
      const init = { method: "POST", headers: sent, body, redirect: "manual" } as const;
      const response = await fetch(url, { ...init, signal: aborter.signal });
      return { response, text: await readStart(response) };
    } catch (error) {
      if (ending.signal.aborted) throw fail("unavailable", "the sink was closed");
      if (aborter.signal.aborted) throw fail("unavailable", `no answer within ${timeoutMs} ms`);
      throw fail("unavailable", describeNetworkError(error));
    } finally {
      clearTimeout(timer);
      ending.signal.removeEventListener("abort", abort);
    }
  }

  async function writeBatch(batch: Batch): Promise<void> {
    const { response, text } = await post(batch);
    const { status } = response;
    if (response.ok) return;
    const said = text === "" ? `${status}` : `${status}: ${text}`;
    if (status >= 300 && status < 400) {
      throw fail("unavailable", `${status}: redirects are not followed; name the final url`);
    }
    const wait = parseRetryAfter(response.headers.get("retry-after"), now());
    const advice = findMisconfiguration(status);
    // The advice first: the server's text may be long.
    if (advice !== undefined) throw fail("misconfigured", `${advice}; ${said}`, wait);
    const isPermanent = status >= 400 && status < 500 && status !== 408 && status !== 429;
    throw fail(isPermanent ? "rejected" : "unavailable", said, wait);
  }

  return {
    id: `http-${url.hostname.replace(/[^a-z0-9.-]/gi, "_")}-${shortHash(url.href)}`,
    name,
    retry,
    writeBatch,
    async write(records) {
      if (records.length === 0) return;
      const batch = { key: randomUUID(), lines: toLines(records) };
      for (let failures = 1; ; failures += 1) {
        try {
          return await writeBatch(batch);
        } catch (error) {
          const isOver = failures > retries || ending.signal.aborted;
          if (!(error instanceof SinkError) || error.kind !== "unavailable" || isOver) throw error;
          const wait = retryDelay(failures, error.retryAfterMs, retry, random);
          await sleep(wait, ending.signal).catch(() => {
            throw error;
          });
        }
      }
    },
    async close() {
      ending.abort();
    },
  };
}

async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, { signal });
}

/** Reads the whole response, so that a truncated one fails; returns its start. */
async function readStart(response: Response): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    if (bytes < MAX_KEPT_BYTES) kept.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(kept).subarray(0, MAX_KEPT_BYTES).toString("utf8").trim();
}

function describeNetworkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "the connection failed";
  const code = "code" in cause ? String(cause.code) : "";
  return [code, cause.message].filter((part) => part !== "").join(": ") || "the connection failed";
}

const ADVICE: Readonly<Record<number, string>> = {
  401: "the credentials are missing or have expired: renew them (headers, or the token variable)",
  403: "the credentials lack permission: use others, or grant them more rights",
  404: "nothing accepts records there: check the url",
};

/**
 * What to do about an HTTP status that is not about the records: every batch would get it until somebody
 * acts. Undefined for any other status. `fetch` reports 407 as a failed connection.
 */
function findMisconfiguration(status: number): string | undefined {
  return ADVICE[status];
}

/** Longest part of a response that an error shows, in characters. */
const MAX_SHOWN = 200;

/** Removes header values, their parts and the URL's secrets from a text, and shortens it. */
function createTextRedactor(headers: Headers, url: URL): (text: string) => string {
  const secrets = findSecrets(headers, url);
  return (text) => {
    let shown = text;
    for (const secret of secrets) shown = shown.replaceAll(secret, "[...]");
    const short = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
    return escapeControls(short);
  };
}

/** The URL without its query and the tokens in its path. */
function redactUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname.split("/").map(redactToken).join("/")}`;
}

/** Webhooks have a secret in the path: a part that is long and not a word is hidden. */
function redactToken(part: string): string {
  return /^(?=.*\d)(?=.*[a-z]).{16,}$|^.{40,}$/i.test(part) ? "[...]" : part;
}

/** The longest first. */
function findSecrets(headers: Headers, url: URL): string[] {
  const values = [...headers]
    .filter(([name]) => name !== "content-type")
    .flatMap(([, value]) => [value, ...value.split(/[\s,;=:]+/)]);
  const basic = values.map((value) => Buffer.from(value, "base64").toString("utf8"));
  const query = [url.search, ...url.searchParams.values()];
  const path = url.pathname.split("/").filter((part) => redactToken(part) !== part);
  const pairs = basic.flatMap((text) => [text, ...text.split(":")]);
  const secrets = [...values, ...pairs, ...query, ...path];
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= 4)
    .sort((a, b) => b.length - a.length);
}
