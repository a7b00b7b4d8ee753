import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GithubApi, startGithubApi } from "./testing/github-api.js";

const PROGRAM = fileURLToPath(new URL("../../action/comment.mjs", import.meta.url));

let api: GithubApi;
let folder = "";
beforeEach(async () => {
  api = await startGithubApi();
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-comment-"));
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Posts a text as the action does; returns what it printed. It never fails. */
async function post(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = join(folder, "report.md");
  writeFileSync(file, text);
  const child = spawn(process.execPath, [PROGRAM, file], {
    env: { PATH: process.env.PATH, ...api.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) printed += String(chunk);
  const code = child.exitCode ?? (await new Promise((resolve) => child.once("close", resolve)));
  expect(code).toBe(0);
  return printed;
}

/** The text of a comment, below the line that marks it. */
function withoutMarker(body: string): string {
  const [, text = ""] = /^<!-- rollout-wire diff [0-9a-f]{16} -->\n([\s\S]*)$/.exec(body) ?? [];
  return text;
}

test("three reports leave one comment, with the last of them", async () => {
  for (const report of ["first", "second", "third"]) expect(await post(report)).toBe("");
  expect(api.comments.map(({ body }) => withoutMarker(body))).toEqual(["third"]);
});

test("an unchanged report is not written again", async () => {
  await post("same");
  await post("same");
  expect(api.calls).toEqual(["GET", "POST", "GET"]);
});

test("the comment is found beyond the first page, and that of another key is left alone", async () => {
  for (let id = 1; id <= 150; id += 1) api.comments.push({ id, body: "talk", isForeign: false });
  await post("one");
  await post("two");
  await post("other", { COMMENT_KEY: "packages/wire" });
  expect(api.comments.slice(150).map(({ body }) => withoutMarker(body))).toEqual(["two", "other"]);
});

test("two steps of a job have a comment each, which a new base leaves where it is", async () => {
  const wire = (base: string) => ({ COMMENT_KEY: `. origin/${base}...HEAD schemas/wire/` });
  await post("wire", wire("main"));
  await post("api", { COMMENT_KEY: ". origin/main...HEAD schemas/api/" });
  await post("wire again", wire("release-2"));
  expect(api.comments.map(({ body }) => withoutMarker(body))).toEqual(["wire again", "api"]);
});

test("a fork's token may not write: that is no warning", async () => {
  api.refusals.push(403);
  expect(await post("report", { HEAD_REPOSITORY: "somebody/name" })).toBe(
    "::notice title=rollout-wire::no comment on a pull request from a fork: the report is in the summary of the job\n",
  );
  api.refusals.push(403);
  expect(await post("report", { HEAD_REPOSITORY: "owner/name" })).toMatch(/^::warning .* 403 /);
  expect(api.comments).toEqual([]);
});

test("a comment that somebody else made to look like ours is left alone", async () => {
  await post("mine");
  const [{ body = "" } = {}] = api.comments.splice(0);
  api.comments.push({ id: 1, body, isForeign: true });
  await post("one");
  await post("two");
  expect(api.comments.map(({ body }) => body.split("\n")[1])).toEqual(["mine", "two"]);
});

test("a busy server is asked again; a refusal is one warning", async () => {
  api.refusals.push(502, 429);
  expect(await post("report")).toBe("");
  expect(api.comments).toHaveLength(1);
  const refused = await post("more", { GITHUB_TOKEN: "wrong" });
  expect(refused).toMatch(
    /^::warning title=rollout-wire::no comment .* 401 .*pull-requests: write; the report is in .*\n$/,
  );
  expect(api.comments).toHaveLength(1);
});

test("a report that is longer than GitHub allows is cut, with a note", async () => {
  await post("x".repeat(100_000));
  expect(api.comments[0]?.body).toHaveLength(65_536);
  expect(api.comments[0]?.body).toMatch(/The rest is in the summary of the run\.\n$/);
});
