import { expect, test } from "vitest";
import type { Finding } from "../../../base/findings/finding.js";
import { toJsonl } from "../../../base/json/print.js";
import { readRecords } from "../../../base/jsonl/read-records.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { createBranch } from "../export/testing/create-branch.js";
import { createCaptured } from "../scoring/testing/create-captured.js";
import { createLoader, type LoadOptions } from "./load-branches.js";

const loadRollouts = createLoader(readRecords);

const ranked = { ...createBranch(), judge_model: "m" };
const unranked = createCaptured({ branch_index: 1 });

const load = (records: readonly object[], options?: LoadOptions & { readonly ranked: boolean }) =>
  options === undefined
    ? loadRollouts(new Blob([toJsonl(records)])).toArray()
    : loadRollouts(new Blob([toJsonl(records)]), options).toArray();

test("ranked branches are loaded with all their fields", async () => {
  expect(await load([ranked, ranked])).toEqual([ranked, ranked]);
});

test("unranked branches are loaded only if they need not be ranked", async () => {
  expect(await load([ranked, unranked], { ranked: false })).toEqual([ranked, unranked]);
  expect(await load([ranked, unranked], { ranked: true, onError: "skip" })).toEqual([ranked]);
});

test("a faulty line is an error with its place, its first fault and the number of others", async () => {
  const { task, final_answer, ...rest } = ranked;
  const error = await load([ranked, { ...rest, rank: 0 }]).catch((thrown: unknown) => thrown);
  const column = JSON.stringify({ ...rest, rank: 0 }).indexOf('"rank"') + '"rank":'.length + 1;
  expect(error).toEqual(
    new UserError(
      `<stdin>:2:${column} /rank must be >= 1, is 0 (minimum), and 2 more errors`,
      EXIT.findings,
    ),
  );
  expect([task, final_answer]).toEqual([ranked.task, ranked.final_answer]);
});

test("a function gets each error, where the value begins", async () => {
  const errors: Finding[] = [];
  const contradiction = { ...ranked, objective_status: "fail", objective_score: 1 };
  const loaded = await load([{ ...ranked, rank: 1.5 }, contradiction, ranked], {
    ranked: true,
    onError: (error) => errors.push(error),
  });
  expect(loaded).toEqual([ranked]);
  expect(errors).toMatchObject([
    { id: "type", file: "<stdin>", line: 1, pointer: "/rank", severity: "error" },
    { id: "status-agrees-with-score", line: 2, pointer: "/objective_status" },
  ]);
  const [first] = errors;
  expect(JSON.stringify({ ...ranked, rank: 1.5 }).slice((first?.column ?? 0) - 1)).toMatch(/^1\.5/);
});

test("warnings are no errors", async () => {
  const flat = { ...ranked, tool_call_sequence: [{ tool_name: "t", args: {}, result: 1 }] };
  expect(await load([flat])).toEqual([flat]);
});

test("branches are read while they are consumed", async () => {
  async function* lines() {
    yield toJsonl([ranked]);
    throw new Error("read too far");
  }
  for await (const branch of loadRollouts(lines())) {
    expect(branch).toEqual(ranked);
    return;
  }
  throw new Error("no branch");
});

test.each<[object, string]>([
  [
    { onErorr: "skip" },
    'there is no option "onErorr" (did you mean onError?): use ranked, onError',
  ],
  [{ onError: "ignore" }, 'onError must be "throw", "skip" or a function'],
])("a wrong option is an error at once: %o", (options, message) => {
  expect(() => loadRollouts(new Blob([]), options)).toThrow(
    new UserError(`loadRollouts: ${message}`, EXIT.usage),
  );
});
