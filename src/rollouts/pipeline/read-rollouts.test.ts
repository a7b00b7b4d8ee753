import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { COLLIDING_IDS } from "../../base/testing/colliding-ids.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { type ReadRolloutsOptions, readRollouts } from "./read-rollouts.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const branch = (rollout_id: string, branch_index = 0) => createBranch({ rollout_id, branch_index });

/** Each rollout with its lines, as `file:line`. */
async function read(
  files: string[],
  options: ReadRolloutsOptions = {},
  stdin = "",
): Promise<string[]> {
  const found: string[] = [];
  const source = { cwd: folder.path, stdin: Readable.from([Buffer.from(stdin)]) };
  for await (const { id, lines } of readRollouts(files, source, options)) {
    found.push(`${id}: ${lines.map(({ file, line }) => `${file}:${line}`).join(" ")}`);
  }
  return found;
}

test("rollouts in the order of their first lines, wherever their lines are", async () => {
  folder.write("one", toJsonl([branch("b"), branch("a"), branch("b", 1)]));
  folder.write("two.gz", gzipSync(toJsonl([branch("c"), branch("a", 1)])));
  const stdin = toJsonl([branch("c", 1)]);
  expect(await read(["one", "two.gz", "-"], {}, stdin)).toEqual([
    "b: one:1 one:3",
    "a: one:2 two.gz:2",
    "c: two.gz:1 <stdin>:1",
  ]);
  expect(await read(["one", "two.gz"], { id: "a" })).toEqual(["a: one:2 two.gz:2"]);
  expect(await read(["one"], { id: "none" })).toEqual([]);
});

test("two ids with the same hash are two rollouts", async () => {
  const [a, b] = COLLIDING_IDS;
  folder.write("same", toJsonl([branch(a), branch(b), branch(a, 1)]));
  expect(await read(["same"])).toEqual([`${a}: same:1 same:3`, `${b}: same:2`]);
});

test("a damaged line belongs to the rollouts that it names; one that names none is told", async () => {
  const damaged = JSON.stringify(branch("a", 1)).slice(0, -5);
  folder.write("bad", `${toJsonl([branch("a")])}${damaged}\n[1]\n{"rollout_id":7}\n`);
  const unplaced: number[] = [];
  const onUnplaced = ({ line }: { line: number }) => unplaced.push(line);
  expect(await read(["bad"], { onUnplaced })).toEqual(["a: bad:1 bad:2"]);
  expect(unplaced).toEqual([3, 4]);
});

test("records of a JSON text", async () => {
  folder.write("all.json", JSON.stringify([branch("a"), branch("b")], undefined, 2));
  expect((await read(["all.json"])).map((line) => line.slice(0, 2))).toEqual(["a:", "b:"]);
});

test("a file that is missing is a UserError, and no temporary folder is left", async () => {
  const own = createTestFolder();
  const { TMPDIR } = process.env;
  process.env.TMPDIR = own.path;
  try {
    folder.write("good", toJsonl([branch("a"), branch("b")]));
    await expect(read(["nowhere"])).rejects.toThrow(UserError);
    const source = { cwd: folder.path, stdin: Readable.from([]) };
    for await (const { id } of readRollouts(["good"], source)) if (id === "a") break;
    expect(readdirSync(join(own.path))).toEqual([]);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    own.remove();
  }
});
