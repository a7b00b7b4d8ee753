import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTempFolder } from "../../base/files/temp.js";
import { packageRoot } from "../../base/package.js";
import { bundleExample } from "../../base/testing/build-program.js";
import { runProgram } from "../../base/testing/run-program.js";

const page = readFileSync(join(packageRoot(), "docs/capture.md"), "utf8");
const [, chapter = ""] = /^## Fork runner\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(page) ?? [];
const [, program = ""] = /```ts\n(.*?)```/s.exec(chapter) ?? [];
const [, commands = ""] = /```sh\n(.*?)```/s.exec(chapter) ?? [];

const folder = createTempFolder();
afterAll(() => folder.remove());

test("the program of docs/capture.md writes branches from which its command makes pairs", async () => {
  expect(program).toContain('from "rollout-wire/capture"');
  const cwd = folder.path;
  const bundled = bundleExample(program);
  execFileSync(process.execPath, [bundled], { cwd });
  writeFileSync(join(cwd, "eval.jsonl"), '{"prompt": "Sing a song of six pence."}\n');

  const [name, ...argv] = commands.trimEnd().split(" ");
  expect(name).toBe("rollout-wire");
  expect(await runProgram(argv, { cwd })).toMatchObject({ exitCode: 0 });
  const [pair] = readFileSync(join(cwd, "dpo.jsonl"), "utf8").split("\n");
  expect(JSON.parse(pair ?? "")).toMatchObject({
    prompt: [
      { role: "system", content: "You are terse." },
      { role: "user", content: "What is 2+2?" },
      { role: "assistant" },
      { role: "tool" },
    ],
    chosen: [{ role: "assistant", content: "What is 2+2? Four." }],
    rejected: [{ role: "assistant", content: "" }],
    tools: [{ function: { name: "calculate" } }],
  });
});
