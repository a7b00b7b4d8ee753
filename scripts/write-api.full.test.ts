import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { runInProcess } from "./testing/run-in-process.js";
import { API_PAGE, run } from "./write-api.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository([
    ...["conformance", "generated", "package.json", "schema", "src"],
    ...["tsconfig.build.json", "tsconfig.json", API_PAGE],
  ]);
});
afterAll(() => copy.remove());

async function check(): Promise<readonly [number | null, string]> {
  const { status, stderr } = await runInProcess(run, ["--check"], { root: copy.root });
  return [status, stderr];
}

test("the page of the library is up to date", async () => {
  expect(await check()).toEqual([0, ""]);
});

test("another declaration makes it out of date", async () => {
  copy.edit("src/index.ts", (text) =>
    text.replace("export { allPass, buildPasses,", "export { buildPasses,"),
  );
  const outdated = `${API_PAGE} is out of date: run npm run api, and read what changed\n`;
  expect(await check()).toEqual([1, outdated]);
});

test("declarations that do not compile are one line", async () => {
  copy.edit("src/index.ts", (text) => `${text}\nexport const wrong: string = 1;\n`);
  expect(await check()).toEqual([1, "the library does not compile: see npm run typecheck\n"]);
});
