// Posts a Markdown file as the one comment of this action on a pull request, or updates that comment. Plain JavaScript
// without dependencies, because the action runs it from its own checkout, where nothing is installed.
// Source: the documentation of GitHub's REST API, "Issue comments".
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const { env } = process;

/** What tells the steps of a job apart: folder and arguments, but not the range, which ends with the pull request's base. */
const key = (env.COMMENT_KEY ?? "").split(/\s+/).filter((word) => !/[^/.]\.{2,3}[^/.]/.test(word));

/** Marks the comment of this step among all others. */
const marker = `<!-- rollout-wire diff ${createHash("sha256").update(key.join(" ")).digest("hex").slice(0, 16)} -->`;

/** GitHub refuses longer comments. */
const MAX_LENGTH = 65_536;

/** Calls are repeated while the server is busy. */
const TRIES = 3;

const PER_PAGE = 100;

/** More comments than any reader scrolls through; a bound, should the server never send a short page. */
const MAX_PAGES = 100;

/** The server's answer is no. */
class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}${path}`, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${env.GITHUB_TOKEN}`,
        "content-type": "application/json",
        "user-agent": "rollout-wire",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.ok) return await response.json();
    const { status, statusText } = response;
    const isBusy = status === 429 || status >= 500;
    if (!isBusy || attempt === TRIES) {
      throw new Refusal(`${method} ${path}: ${status} ${statusText}`, status);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(env.RETRY_SECONDS ?? 2)));
  }
}

/** The comments that look like those of an earlier run. */
async function* findComments() {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = `per_page=${PER_PAGE}&page=${page}`;
    const comments = await call("GET", `/issues/${env.PULL_REQUEST}/comments?${query}`);
    yield* comments.filter(({ body }) => String(body).startsWith(marker));
    if (comments.length < PER_PAGE) return;
  }
}

/** @param {string} body */
async function post(body) {
  for await (const own of findComments()) {
    if (own.body === body) return;
    try {
      return await call("PATCH", `/issues/comments/${own.id}`, { body });
    } catch (error) {
      // Someone else wrote it.
      if (!(error instanceof Refusal) || error.status !== 403) throw error;
    }
  }
  await call("POST", `/issues/${env.PULL_REQUEST}/comments`, { body });
}

/** @param {string} text */
function toBody(text) {
  const body = `${marker}\n${text}`;
  if (body.length <= MAX_LENGTH) return body;
  const note = "\n\n... The rest is in the summary of the run.\n";
  return body.slice(0, MAX_LENGTH - note.length) + note;
}

try {
  const [, , file = ""] = process.argv;
  await post(toBody(readFileSync(file, "utf8")));
} catch (error) {
  // The job's result is that of the comparison.
  const reason = error instanceof Error ? error.message : String(error);
  const isFork = env.HEAD_REPOSITORY && env.HEAD_REPOSITORY !== env.GITHUB_REPOSITORY;
  const [level, text] =
    isFork && error instanceof Refusal && error.status === 403
      ? [
          "notice",
          "no comment on a pull request from a fork: the report is in the summary of the job",
        ]
      : [
          "warning",
          `no comment on the pull request: ${reason}; it needs the permission pull-requests: write; the report is in the summary of the job`,
        ];
  process.stdout.write(`::${level} title=rollout-wire::${text.replace(/[\r\n]+/g, " ")}\n`);
}
