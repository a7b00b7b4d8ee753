import { isJsonObject } from "../../json/value.js";
import { EXIT, UserError } from "../../user-error.js";

export interface HeaderSources {
  /** Name to value. What stands here wins over the environment. */
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
 * Headers of options and environment; no message says anything of their values. Throws UserError (exit 2)
 * for what no header can be.
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
  }
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
    // The error of `set` quotes the value.
    const named = JSON.stringify(name);
    throw new UserError(`${source}: the header ${named} or its value is not allowed`, EXIT.usage);
  }
}
