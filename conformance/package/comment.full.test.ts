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

test("three reports leave one comment, with the last of them", async () => {
  for (const report of ["first", "second", "third"]) expect(await post(report)).toBe("");
  expect(api.comments.map(({ body }) => body)).toEqual(["<!-- rollout-wire diff -->\nthird"]);
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
  expect(api.comments.slice(150).map(({ body }) => body)).toEqual([
    "<!-- rollout-wire diff -->\ntwo",
    "<!-- rollout-wire packages/wire -->\nother",
  ]);
});

test("a comment that somebody else made to look like ours is left alone", async () => {
  api.comments.push({ id: 1, body: "<!-- rollout-wire diff -->\nmine", isForeign: true });
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
    /^::warning title=rollout-wire::no comment .* 401 .*pull-requests: write\n$/,
  );
  expect(api.comments).toHaveLength(1);
});

test("a report that is longer than GitHub allows is cut, with a note", async () => {
  await post("x".repeat(100_000));
  expect(api.comments[0]?.body).toHaveLength(65_536);
  expect(api.comments[0]?.body).toMatch(/The rest is in the summary of the run\.\n$/);
});
