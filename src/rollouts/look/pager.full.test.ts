import { afterAll, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { runProgram } from "../../base/testing/run-program.js";
import { createBranch } from "../wire/export/testing/create-branch.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

/** Makes Node take a pipe for a terminal. */
const AS_TERMINAL = `data:text/javascript,${encodeURIComponent("process.stdout.isTTY = true")}`;

const branches = Array.from({ length: 500 }, (_, index) =>
  createBranch({ rollout_id: `r-${index}` }),
);
folder.write("many.jsonl", toJsonl(branches));

/** Runs `show` with a pager that is this program of Node. */
async function showWith(pager: string) {
  folder.write("pager.mjs", pager);
  return await runProgram(["show", "many.jsonl"], {
    cwd: folder.path,
    nodeArguments: ["--import", AS_TERMINAL],
    env: { PAGER: `${process.execPath} pager.mjs` },
  });
}

test("Ctrl-C is the pager's: it may stop a search, and reads on", async () => {
  const { exitCode, signal, stdout } = await showWith(`
    process.kill(process.ppid, "SIGINT");
    let text = "";
    for await (const chunk of process.stdin) text += chunk;
    console.log(text.match(/rollout r-/g).length, process.env.LESS);
  `);
  expect([exitCode, signal, stdout]).toEqual([0, null, "500 FRX\n"]);
});

test("a pager that ends early ends the program quietly", async () => {
  const { exitCode, stdout, stderr } = await showWith(`
    process.stdin.once("data", () => process.exit(0));
  `);
  expect([exitCode, stdout, stderr]).toEqual([0, "", ""]);
});
