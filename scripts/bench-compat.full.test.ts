import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempFolder } from "../src/base/files/temp.js";
import { packageRoot } from "../src/base/package.js";
import { EXIT } from "../src/base/user-error.js";
import { run } from "./bench-compat.js";
import { runInProcess } from "./testing/run-in-process.js";

const PAIRS = [
  { id: "N2", old: { maximum: 1 }, new: { maximum: 2 } },
  {
    ...{ id: "by-reference", path: "top/record.json" },
    ...{ old: { $ref: "a.json" }, new: { $ref: "a.json" } },
    ...{ old_files: { "top/a.json": { maximum: 1 } }, new_files: { "top/a.json": { maximum: 2 } } },
  },
].map((pair) => ({ ...pair, backward: "compatible", forward: "breaking" }));

test("all three programs answer; a wrong verdict is exit code 1", async () => {
  const folder = createTempFolder();
  const file = join(folder.path, "pairs.json");
  const compare = async (pairs: readonly object[]) => {
    writeFileSync(file, JSON.stringify(pairs));
    return await runInProcess(run, [file], { root: packageRoot() });
  };
  try {
    const right = await compare(PAIRS);
    expect([right.status, right.stderr]).toEqual([EXIT.ok, ""]);
    expect(right.stdout).toMatch(/^ +rollout-wire +jsonschema_rs +jsoncompat$/m);
    // jsoncompat reads no second file.
    expect(right.stdout).toMatch(/^right +4 +4 +2$/m);
    expect(right.stdout).toMatch(/^undecided or no answer +0 +0 +2$/m);
    const wrong = await compare([...PAIRS, { ...PAIRS[0], forward: "compatible" }]);
    expect(wrong.status).toBe(EXIT.findings);
    expect(wrong.stdout).toMatch(/^wrong: "breaking" +1 +1 +1$/m);
  } finally {
    folder.remove();
  }
});
