import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { runProgram } from "../../base/testing/run-program.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { resolveExportOptions } from "../wire/export/targets/target.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { profiles } from "../wire/validation/profiles.js";
import { DEFAULT_CONTEXT } from "../wire/validation/rules/rule.js";
import type { ScatteredJob } from "./build-block.js";
import { inlinePool, startPool, type TaskPool } from "./workers.js";

const folder = createTestFolder();
const text = `${JSON.stringify(createBranch())}\nNaN\n`;

const severities = profiles.strict;
const request = {
  input: 0,
  type: undefined,
  severities,
  context: DEFAULT_CONTEXT,
  limits: { maxErrors: 9 },
};

/** A block with its own memory. */
function createBlock() {
  const bytes = Uint8Array.from(Buffer.from(text));
  return { line: 1, offset: 0, bytes };
}

/** Requests a line of an input. */
function createScatteredJob(inputs: ScatteredJob["inputs"]): ScatteredJob {
  const options = resolveExportOptions({ exportedAtMs: 0 });
  return {
    plan: {
      builder: { id: "export", target: "wire", options },
      severities,
      maxErrors: 9,
      skipInvalid: false,
      keepRejects: false,
    },
    inputs,
    positions: Float64Array.from([1, 0, 0, 20, 1, 0]),
  };
}

async function errorOf(pool: TaskPool, job: ScatteredJob): Promise<unknown> {
  return await pool.run("buildScattered", job).then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
}

let threads: TaskPool;
beforeAll(async () => {
  threads = await startPool(2);
});
afterAll(async () => {
  await threads.close();
  folder.remove();
});

test("threads and the calling thread give the same results", async () => {
  const job = () => ({ file: "a", block: createBlock(), ...request });
  const inline = await inlinePool.run("checkBlock", job());
  expect(inline).toMatchObject({ tally: { records: 2, found: { error: 1, warning: 0 } } });
  expect(await threads.run("checkBlock", job())).toEqual(inline);
});

test("transferred memory is detached from the caller", async () => {
  const block = createBlock();
  const job = { file: "a", block, ...request };
  await threads.run("checkBlock", job, [block.bytes.buffer]);
  expect(block.bytes.length).toBe(0);
});

test("transferred memory is returned with the result", async () => {
  const block = createBlock();
  const size = block.bytes.buffer.byteLength;
  const job = { file: "a", block, ...request };
  const { buffers } = await threads.run("checkBlock", job, [block.bytes.buffer]);
  expect(buffers.map(({ byteLength }) => byteLength)).toEqual([size]);
});

describe.each(["on threads", "inline"])("%s", (place) => {
  const pool = () => (place === "inline" ? inlinePool : threads);

  test("a UserError keeps its class and exit code", async () => {
    const path = join(folder.path, "short");
    writeFileSync(path, "short");
    const error = await errorOf(
      pool(),
      createScatteredJob(new Map([[0, { file: "named", path }]])),
    );
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      exitCode: EXIT.unreadable,
      message: "named: was truncated while being read",
    });
  });

  test("any other error does not become one, and the pool stays usable", async () => {
    const error = await errorOf(pool(), createScatteredJob(new Map()));
    expect(error).not.toBeInstanceOf(UserError);
    expect(error).toMatchObject({ name: "RangeError", message: "there is no input 0" });
    const job = { file: "a", block: createBlock(), ...request };
    expect(await pool().run("checkBlock", job)).toMatchObject({ tally: { records: 2 } });
  });
});

test.each(["--max-old-space-size=512", "--expose-gc", "--no-warnings"])(
  "threads start under node %s",
  async (flag) => {
    const many = Array.from({ length: 6000 }, (_, at) => createBranch({ rollout_id: `r-${at}` }));
    folder.write("many.jsonl", toJsonl(many));
    const { exitCode, stderr } = await runProgram(["validate", "many.jsonl"], {
      cwd: folder.path,
      nodeArguments: [flag],
    });
    expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining("in 6,000 records")]);
  },
);
