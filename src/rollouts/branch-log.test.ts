import { readdirSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, expect, test, vi } from "vitest";
import { createTestFolder } from "../cli/testing/run-in-folder.js";
import { createBranch } from "../export/testing/create-branch.js";
import { FindingList } from "../findings/finding-list.js";
import { toJsonl } from "../json/print.js";
import { COLLIDING_IDS } from "../testing/colliding-ids.js";
import { UserError } from "../user-error.js";
import { checkBlock } from "../validation/check-block.js";
import { profiles } from "../validation/profiles.js";
import { BranchLog } from "./validate.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
const source = { cwd: folder.path, stdin: Readable.from([]) };
const severities = profiles.strict;

function rowsOf(text: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(text));
  const block = { line: 1, offset: 0, bytes };
  return checkBlock({ file: "a", input: 0, block, type: undefined, severities, maxErrors: 9 })
    .branches;
}

async function judge(text: string, file = folder.write("a", text)) {
  const log = new BranchLog(severities);
  const findings = new FindingList({ maxErrors: 9 });
  try {
    log.append(rowsOf(text));
    const rollouts = await log.judge({ files: [file], source }, findings);
    const found = findings.toReport("validate").findings;
    return { rollouts, found: found.map(({ id, line }) => `${line} ${id}`) };
  } finally {
    log.close();
  }
}

const branch = (rollout_id: string, index = 0) =>
  createBranch({ rollout_id, branch_index: index, rank: index + 1 });

test("rollouts in order of their first branch, each judged once", async () => {
  const text = toJsonl([branch("a"), branch("b"), branch("b"), branch("a", 1), branch("a", 1)]);
  expect(await judge(text)).toEqual({
    rollouts: 2,
    found: [
      "5 branch-index-unique",
      "5 rank-permutation",
      "3 branch-index-unique",
      "3 rank-permutation",
    ],
  });
});

test("two ids with one hash are two rollouts", async () => {
  const [a, b] = COLLIDING_IDS;
  const text = toJsonl([branch(a), branch(b), branch(a, 1), branch(b, 1)]);
  expect(await judge(text)).toEqual({ rollouts: 2, found: [] });
});

test("records that are no branches are no rollouts, and leave no folder", async () => {
  const temporary = createTestFolder();
  vi.stubEnv("TMPDIR", temporary.path);
  try {
    expect(await judge('{"prompt":{}}\n')).toEqual({ rollouts: 0, found: [] });
    expect(await judge(toJsonl([branch("a")]))).toEqual({ rollouts: 1, found: [] });
    expect(readdirSync(temporary.path)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    temporary.remove();
  }
});

test("a file that is gone is the user's affair", async () => {
  const text = toJsonl([branch("a"), branch("a")]);
  const file = folder.write("gone", text);
  rmSync(`${folder.path}/gone`);
  await expect(judge(text, file)).rejects.toThrow(UserError);
});
