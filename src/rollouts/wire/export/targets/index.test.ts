import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../../../base/json/print.js";
import { findUnexportable, MAX_NESTING } from "../../../../base/json/unexportable.js";
import { packageRoot } from "../../../../base/package.js";
import type { Features } from "../features.js";
import { branchArbitrary } from "../testing/branch-arbitrary.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPreference } from "../testing/create-preference.js";
import { findMisfit } from "../testing/find-misfit.js";
import { isTargetId, targets } from "./index.js";
import { outputKinds, resolveExportOptions } from "./target.js";

const options = resolveExportOptions({ exportedAtMs: 0 });

/** All records that a target builds from one branch. */
function exportBranch(id: string, branch: RolloutBranchRecord): object[] {
  if (!isTargetId(id)) throw new TypeError(`no target: ${id}`);
  const { toDpo, toPreference, toPpo, toSft } = targets[id];
  const rejected = { ...branch, final_answer: `Not ${branch.final_answer}` };
  const records = [
    toDpo?.({ chosen: branch, rejected }, options),
    toPreference?.(createPreference({ chosen: branch, rejected }), options),
    toPpo?.(branch, options),
    toSft?.(branch, options),
  ];
  return records.filter((record) => record !== undefined);
}

/** Names of the targets' files, without their extension. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => /^(?!(?:index|target)\.).*(?<!\.test)\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ""));

test("every target is named after its file", () => {
  expect(Object.keys(targets).toSorted()).toEqual(files.toSorted());
  expect(Object.entries(targets).filter(([id, target]) => id !== target.id)).toEqual([]);
});

test("docs/targets.md lists every target, in the order of --help", () => {
  const [table = ""] =
    /^\| target .*\n(?:\|.*\n)+/m.exec(
      readFileSync(join(packageRoot(), "docs/targets.md"), "utf8"),
    ) ?? [];
  const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, id]) => id);
  expect(listed).toEqual(Object.keys(targets));
});

test.each(files)("src/rollouts/wire/export/index.ts exports the record types of %s", (file) => {
  const text = readFileSync(join(import.meta.dirname, `${file}.ts`), "utf8");
  const types = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  const library = readFileSync(join(packageRoot(), "src/rollouts/wire/export/index.ts"), "utf8");
  const hidden = types.filter((name) => !new RegExp(`\\b${name}\\b`).test(library));
  expect(hidden).toEqual([]);
});

test("isTargetId accepts targets only", () => {
  expect(isTargetId("wire")).toBe(true);
  expect(isTargetId("toString")).toBe(false);
});

/** Records of a branch with an event that is neither a call nor a result, and whether they contain it. */
function carriesOddEvent(id: string): boolean[] {
  const branch = createBranch({ tool_call_sequence: [createEvent({ note: "an odd event" })] });
  return exportBranch(id, branch).map((record) => JSON.stringify(record).includes("an odd event"));
}

test.each(Object.values(targets).filter(({ readsToolEvents }) => readsToolEvents))(
  "$id reads tool events, and omits those that are neither calls nor results",
  ({ id }) => expect(carriesOddEvent(id)).not.toContain(true),
);

test("wire copies tool events unchanged", () => {
  expect(targets.wire.readsToolEvents).toBe(false);
  expect(carriesOddEvent("wire")).toEqual([true, true]);
});

test.each(Object.values(targets))(
  "$id lists the columns of every file that it writes",
  (target) => {
    const written = outputKinds(target);
    expect(written).not.toEqual([]);
    expect(Object.keys(target.features)).toEqual(written);
  },
);

/** Absent where no tools are known, or where an imported trajectory had none. */
const OPTIONAL = ["tools", "trajectory_id", "notes"];

test.each(Object.values(targets))("$id writes exactly its columns", (target) => {
  const { toDpo, toPreference, toPpo, toSft, features } = target;
  let count = 0;
  const check = (record: object | undefined, columns: Features | undefined): void => {
    if (record === undefined || columns === undefined) return;
    count += 1;
    const expected = Object.fromEntries(
      Object.entries(columns).filter(([name]) => name in record || !OPTIONAL.includes(name)),
    );
    expect(findMisfit(JSON.parse(JSON.stringify(record)), expected)).toBeUndefined();
  };
  fc.assert(
    fc.property(branchArbitrary, branchArbitrary, (chosen, rejected) => {
      check(toDpo?.({ chosen, rejected }, options), features.dpo);
      const other = { ...chosen, final_answer: `${chosen.final_answer}.` };
      const preference = createPreference({ chosen: other, rejected: chosen });
      check(toPreference?.(preference, options), features.dpo);
      check(toPpo?.(chosen, options), features.ppo);
      check(toSft?.(chosen, options), features.sft);
    }),
  );
  expect(count).toBeGreaterThan(50);
});

test("a value that does not match its column is detected", () => {
  const columns = {
    a: { _type: "List", feature: { b: { _type: "Value", dtype: "int64" } } },
  } as const;
  expect(findMisfit({ a: [{ b: 1 }] }, columns)).toBeUndefined();
  expect(findMisfit({ a: [{ b: 1.5 }] }, columns)).toBe("/a/0/b");
  expect(findMisfit({ a: [{ b: 1, c: 1 }] }, columns)).toBe("/a/0");
  expect(findMisfit({ a: {} }, columns)).toBe("/a");
});

/** Reads lines from a program at a call depth of 100, and copies them in both ways. */
const PYTHON_READER = `
import copy, json, pickle, sys

def read(calls):
    if calls > 0:
        return read(calls - 1)
    count = 0
    for line in sys.stdin:
        value = json.loads(line)
        copy.deepcopy(value)
        pickle.loads(pickle.dumps(value))
        count += 1
    return count

print(read(100))`;

test.each(Object.keys(targets))(
  "Python can read and copy the %s records with the deepest exported nesting",
  (id) => {
    const nested = (depth: number): unknown =>
      JSON.parse(`${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`);
    const branchWith = (args: unknown) =>
      createBranch({ tool_call_sequence: [createEvent({ tool_name: "get", args })] });
    // As an object, the arguments are below branch, sequence and event. Text has no depth.
    const deepest = branchWith(nested(MAX_NESTING - 3));
    expect(findUnexportable(deepest)).toBeUndefined();
    expect(findUnexportable(branchWith(nested(MAX_NESTING - 2)))).toBeDefined();
    const inText = branchWith(JSON.stringify(nested(MAX_NESTING)));
    const records = [deepest, inText].flatMap((branch) => exportBranch(id, branch));
    const printed = execFileSync("python3", ["-c", PYTHON_READER], {
      input: toJsonl(records),
      encoding: "utf8",
    });
    expect(printed).toBe(`${records.length}\n`);
  },
);
