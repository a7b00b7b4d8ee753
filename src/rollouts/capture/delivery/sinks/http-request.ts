import { isJsonObject, tryParseJson } from "../../../../base/json/value.js";
import { type KnownOptions, requireKnownOptions, requireNumber } from "../../../../base/options.js";
import { EXIT, UserError } from "../../../../base/user-error.js";

export interface HeaderSources {
  /** Name to value. These win over the environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Environment variable with more headers, as a JSON object. Default `ROLLOUT_WIRE_HTTP_HEADERS`. */
  readonly headersVariable?: string;
  /**
   * Environment variable with a token, sent as `Authorization: Bearer <token>`. Default
   * `ROLLOUT_WIRE_HTTP_TOKEN`.
   */
  readonly tokenVariable?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The headers of options and environment. Throws UserError (exit 2) for an invalid header; the message does
 * not show its value.
 */
export function readHttpHeaders(sources: HeaderSources, env: Environment): Headers {
  const {
    headers = {},
    headersVariable = "ROLLOUT_WIRE_HTTP_HEADERS",
    tokenVariable = "ROLLOUT_WIRE_HTTP_TOKEN",
  } = sources;
  const result = new Headers();
  const token = env[tokenVariable]?.trim();
  if (token) setHeader(result, "authorization", `Bearer ${token}`, tokenVariable);
  const more = Object.entries(parseVariable(headersVariable, env[headersVariable]));
  for (const [name, value] of more) setHeader(result, name, value, headersVariable);
  for (const [name, value] of Object.entries(headers)) setHeader(result, name, value, "headers");
  return result;
}

function parseVariable(variable: string, text: string | undefined): object {
  if (text === undefined || text.trim() === "") return {};
  // Not the parser's message: it quotes the text.
  const value = tryParseJson(text);
  if (isJsonObject(value)) return value;
  throw new UserError(
    `${variable}: must be a JSON object of headers: {"x-api-key": "..."}`,
    EXIT.usage,
  );
}

function setHeader(headers: Headers, name: string, value: unknown, source: string): void {
  try {
    if (typeof value !== "string") throw new TypeError();
    headers.set(name, value);
  } catch {
    // Not the error of `set`: it quotes the value.
    const named = JSON.stringify(name);
    throw new UserError(`${source}: the header ${named} or its value is not allowed`, EXIT.usage);
  }
}

/**
 * Milliseconds from `now` (Unix time in milliseconds) that a `Retry-After` header asks to wait, in seconds
 * or as a date (RFC 9110, section 10.2.3); 0 for a date that has passed. Undefined when there is no such
 * header, or none that can be read.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // The asctime form has no zone, and means GMT.
  const zoned = /\d{4}$/.test(text) && !/[+-]\d{4}$/.test(text) ? `${text} GMT` : text;
  // HTTP's three forms start with the name of a day; Date.parse would accept much more.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Splits user and password off the address; `credentials` are those of basic authentication. Throws
 * UserError (exit 2) for anything but an http: or https: address.
 */
export function parseSinkUrl(given: string | URL): { url: URL; credentials: string | undefined } {
  // Not the error of `new URL`: it quotes the text, which may hold credentials.
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UserError("sink: url must be an absolute http: or https: address", EXIT.usage);
  }
  if (url.username === "" && url.password === "") return { url, credentials: undefined };
  const plain = `${decode(url.username)}:${decode(url.password)}`;
  url.username = "";
  url.password = "";
  return { url, credentials: Buffer.from(plain, "utf8").toString("base64") };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How long to wait before records are sent again, in milliseconds. */
export interface RetryPolicy {
  /** After the first failure; doubles with each further one. Default 500. */
  readonly firstDelayMs?: number;
  /** Longest wait, unless the destination asks for more. Default 60,000. */
  readonly maxDelayMs?: number;
  /** Longest wait that a destination may ask for (`Retry-After`). Default 900,000: a quarter of an hour. */
  readonly maxRetryAfterMs?: number;
}

const OPTIONS: KnownOptions<RetryPolicy> = {
  firstDelayMs: true,
  maxDelayMs: true,
  maxRetryAfterMs: true,
};

/** Checks a policy; anything but an object is an empty one. Throws UserError (exit 2) for waits below 1 ms. */
export function readRetryPolicy(given: unknown): RetryPolicy {
  if (typeof given !== "object" || given === null) return {};
  requireKnownOptions("retry:", given, OPTIONS);
  for (const option of Object.keys(OPTIONS)) {
    const value: unknown = Reflect.get(given, option);
    if (value !== undefined) requireNumber(`retry: ${option}`, value, 1);
  }
  return given;
}

/**
 * Milliseconds to wait after `failures` failures in a row (from 1). Doubles each time, with equal jitter, so
 * that many processes do not come back at once. At least what the destination asked for, up to the limit.
 */
export function retryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy,
  random: () => number,
): number {
  const { firstDelayMs = 500, maxDelayMs = 60_000, maxRetryAfterMs = 900_000 } = policy;
  // 2 ** 1023 is the last power that is finite.
  const longest = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 1023));
  const own = longest * (0.5 + random() / 2);
  return Math.max(own, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}
