import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject } from "../../../src/base/json/value.js";

interface Comment {
  readonly id: number;
  body: string;
  /** Whether only another user may change it. */
  readonly isForeign: boolean;
}

/** A server that plays the part of GitHub's REST API that concerns comments on pull request 7 of `owner/name`. */
export interface GithubApi {
  /** The variables that tell the action where it is. */
  readonly env: Readonly<Record<string, string>>;
  readonly comments: Comment[];
  /** `POST`, `PATCH` and `GET`, in order. */
  readonly calls: string[];
  /** Status codes for the next calls, instead of an answer. */
  readonly refusals: number[];
  close(): Promise<void>;
}

export const TOKEN = "token-of-the-job";

export async function startGithubApi(): Promise<GithubApi> {
  const comments: Comment[] = [];
  const calls: string[] = [];
  const refusals: number[] = [];
  const server = createServer(async (request, response) => {
    calls.push(request.method ?? "");
    const refusal = refusals.shift();
    const answer = refusal ?? answerTo(request, await readBody(request), comments);
    const status = typeof answer === "number" ? answer : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(typeof answer === "number" ? { message: "no" } : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_REPOSITORY: "owner/name",
      GITHUB_TOKEN: TOKEN,
      PULL_REQUEST: "7",
      RETRY_SECONDS: "0",
    },
    comments,
    calls,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? undefined : JSON.parse(text);
}

/** A status code, or the content of the answer. */
function answerTo(request: IncomingMessage, body: unknown, comments: Comment[]): unknown {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return 401;
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const ofPullRequest = "/repos/owner/name/issues/7/comments";
  if (request.method === "GET" && pathname === ofPullRequest) {
    const [size, page] = ["per_page", "page"].map((name) => Number(searchParams.get(name)));
    return comments.slice((size ?? 0) * ((page ?? 1) - 1), (size ?? 0) * (page ?? 1));
  }
  const text = isJsonObject(body) ? body.body : undefined;
  if (typeof text !== "string" || text.length > 65_536) return 422;
  if (request.method === "POST" && pathname === ofPullRequest) {
    comments.push({ id: comments.length + 1, body: text, isForeign: false });
    return comments.at(-1);
  }
  const id = Number(/^\/repos\/owner\/name\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
  const own = comments.find((comment) => comment.id === id);
  if (request.method !== "PATCH" || own === undefined) return 404;
  if (own.isForeign) return 403;
  own.body = text;
  return own;
}
