import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EntryTypeName, entryTypes, ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { createCorpus } from "../../../../conformance/agreement/corpus.js";
import { readOriginals } from "../../../../conformance/agreement/originals.js";
import { toValue } from "../../../../conformance/fixtures/fixture.js";
import { readFixtures } from "../../../../conformance/fixtures/load.js";
import { Workspace } from "../../../../conformance/workspace.js";
import { FindingList } from "../../../base/findings/finding-list.js";
import { toRecordLine } from "../../../base/jsonl/reader.js";
import { packageRoot } from "../../../base/package.js";
import { runCount } from "../../../base/testing/run-count.js";
import { createBranch } from "../export/testing/create-branch.js";
import { BranchReader, RULED_FIELDS, UNRULED_FIELDS } from "../scan/branch-reader.js";
import { BranchRows, branchCodec } from "./branch-rows.js";
import { checkBlock } from "./check-block.js";
import { checkLine, checkRecord } from "./check-record.js";
import { readLostLine } from "./lost-line.js";
import { profiles } from "./profiles.js";
import { rulesByScope } from "./rules/index.js";
import { DEFAULT_CONTEXT } from "./rules/rule.js";
import { BRANCH_TYPES, isBranchType } from "./structure.js";

/** One call of `add` without arguments, and a final answer. */
const TURNS = [
  {
    role: "assistant",
    content: "four",
    tool_calls: [{ id: "1", type: "function", function: { name: "add", arguments: {} } }],
  },
];

const SAY = { type: "function", function: { name: "say", parameters: {} } };

describe("checkBlock", () => {
  const good = JSON.stringify(createBranch());
  const bad = good.replace('"objective_score":1', '"objective_score":7');

  function check(...given: Parameters<typeof checkWhole>) {
    return checkWhole(...given).tally;
  }

  function checkWhole(text: string, options: Partial<Parameters<typeof checkBlock>[0]> = {}) {
    const block = { line: 11, offset: 1000, bytes: Uint8Array.from(Buffer.from(text)) };
    return checkBlock({
      file: "a",
      block,
      input: 0,
      type: undefined,
      severities: profiles.strict,
      context: DEFAULT_CONTEXT,
      limits: { maxErrors: 10 },
      ...options,
    });
  }

  test("findings of a block, with their positions in the file", () => {
    const { records, bytes, findings, found } = check(`${good}\n\n${bad}\nNaN\n`);
    expect([records, bytes, found]).toEqual([
      3,
      good.length + bad.length + 3,
      { error: 2, warning: 0 },
    ]);
    expect(findings.map(({ id, file, line }) => `${file}:${line} ${id}`)).toEqual([
      "a:13 enum",
      "a:14 json",
    ]);
  });

  test("a given type is not inferred", () => {
    expect(check(`${good}\n`).found.error).toBe(0);
    expect(check(`${good}\n`, { type: "PpoRecord" }).found.error).toBeGreaterThan(0);
  });

  test("at most the requested number of findings is listed", () => {
    const { findings, found } = check(`${bad}\n`.repeat(5), { limits: { maxErrors: 2 } });
    expect([findings.length, found.error]).toEqual([2, 5]);
  });

  test("a line that is too long to be a string", () => {
    const tally = check("", { block: { line: 2, offset: 9, bytes: undefined } });
    expect(tally).toMatchObject({ records: 1, bytes: 0, findings: [{ id: "json", line: 2 }] });
  });

  test("an empty block", () => {
    expect(check("")).toMatchObject({ records: 0, findings: [], found: { error: 0, warning: 0 } });
  });

  // Most branches are validated by their outline. The result must equal that of the whole record.
  function expectSame(text: string, type?: EntryTypeName): void {
    const bytes = Buffer.from(text);
    const line = toRecordLine("a", { line: 11, offset: 1000, stored: bytes, bytes });
    const findings = new FindingList({ maxErrors: 10 });
    findings.addChecked(line, checkRecord(line, type));
    expect(check(text, { type })).toEqual(findings.toTally());
    const { isUnplaced, branches } = checkWhole(text, { type });
    const { factsType } = checkLine(line, type);
    const lost = factsType === undefined ? readLostLine(line, { bytes }) : undefined;
    expect(isUnplaced).toBe(lost?.isKnown === false);
    const isBranch = factsType !== undefined && isBranchType(factsType);
    expect(branches.length / branchCodec.width).toBe(lost?.ids.length ?? (isBranch ? 1 : 0));
  }

  function listFixtures(): { type: EntryTypeName; text: string }[] {
    return readFixtures(packageRoot()).fixtures.map(({ type, content }) => ({
      type,
      text: "text" in content ? content.text : JSON.stringify(toValue(content)),
    }));
  }

  async function listCorpus(): Promise<{ type: EntryTypeName; text: string }[]> {
    const originals = await readOriginals(new Workspace(packageRoot()));
    const size = { withManyChanges: 500, places: 1_000 };
    return createCorpus(originals, size, 1).flatMap(({ type, text }) => {
      const name = entryTypes.find((each) => each.name === type)?.name;
      return name === undefined ? [] : [{ type: name, text }];
    });
  }

  function isOutline(text: string): boolean {
    const bytes = Buffer.from(text);
    const line = new BranchReader("RolloutBranchRecord", {
      fields: RULED_FIELDS,
      events: "ruled",
    }).read("a", {
      line: 1,
      offset: 0,
      stored: bytes,
      bytes,
    });
    return "followsLineRules" in line;
  }

  test("a block of fixtures and mutations gives the same findings as its single records", async () => {
    // Mutations only in the full run: to make them takes longer than to check them.
    const records = runCount(1, 0) === 1 ? await listCorpus() : listFixtures();
    const lines = records.filter(({ text }) => !text.includes("\n"));
    for (const { type, text } of lines) expectSame(text, type);
    const outlines = lines.filter(({ text }) => isOutline(text)).length;
    expect(outlines).toBeGreaterThan(runCount(1000, 50));
  });

  test("any tool events give the same findings as in single records", () => {
    const id = fc.constantFrom("1", "2", "3", "");
    const event = fc.record(
      {
        event: fc.constantFrom("tool_call", "tool_result"),
        data: fc.record(
          { toolName: fc.constantFrom("add", "say", ""), callId: id, output: fc.jsonValue() },
          { requiredKeys: ["toolName", "callId"] },
        ),
      },
      { requiredKeys: ["event", "data"] },
    );
    const answered = id.map((callId) =>
      ["tool_call", "tool_result"].map((kind) => ({
        event: kind,
        data: { toolName: "a", callId },
      })),
    );
    const events = fc.oneof(
      fc.array(event, { maxLength: 4 }),
      fc.array(answered, { maxLength: 3 }).map((pairs) => pairs.flat()),
    );
    let outlines = 0;
    const numRuns = runCount(2000);
    fc.assert(
      fc.property(events, (list) => {
        const branch = { ...createBranch(), tool_call_sequence: list };
        const text = JSON.stringify(branch);
        expectSame(text);
        expectSame(JSON.stringify({ ...branch, turns: TURNS }));
        expectSame(JSON.stringify({ ...branch, context: { tools: [SAY] } }));
        if (isOutline(text)) outlines += 1;
      }),
      { numRuns },
    );
    expect(outlines).toBeGreaterThan(numRuns / 10);
    expect(outlines).toBeLessThan(numRuns * 0.9);
  });
});

describe("rules that compare tool events with other fields find the same in both readers", () => {
  const event = {
    event: "tool_call",
    data: { toolName: "add", args: { a: 2, b: 2 }, callId: "1" },
  };
  const says = (name: string) => ({
    role: "assistant",
    content: "four",
    tool_calls: [{ id: "1", type: "function", function: { name, arguments: { a: 2, b: 2 } } }],
  });

  test.each<[string, object, string[]]>([
    ["equal turns", { turns: [says("add")] }, []],
    ["other turns", { turns: [says("subtract")] }, ["turns-agree"]],
    ["no tools", { context: { tools: [] } }, ["undeclared-tool"]],
    ["other tools", { context: { messages: [], tools: [SAY] } }, ["undeclared-tool"]],
    ["unknown tools", { context: { messages: [] } }, []],
    ["a context that is none", { context: null }, ["type"]],
  ])("%s", (_, fields, ids) => {
    const branch = createBranch({ final_answer: "four" });
    const text = JSON.stringify({ ...branch, tool_call_sequence: [event], ...fields });
    const bytes = Buffer.from(text);
    const source = { line: 1, offset: 0, stored: bytes, bytes };
    const found = checkRecord(
      new BranchReader("RolloutBranchRecord", { fields: RULED_FIELDS, events: "ruled" }).read(
        "a",
        source,
      ),
    );
    expect(found).toEqual(checkRecord(toRecordLine("a", source)));
    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});

test("rules read only the fields that are parsed for them", () => {
  const schema_version = ROLLOUT_BRANCH_SCHEMA_VERSION;
  const branch = createBranch({ seed: 7, build_result: {}, schema_version });
  const read = new Set<string>();
  const watched = new Proxy(branch, {
    get(target, key, receiver) {
      read.add(String(key));
      return Reflect.get(target, key, receiver);
    },
  });
  for (const rule of rulesByScope.record) {
    for (const type of BRANCH_TYPES) rule.check(watched, type, DEFAULT_CONTEXT);
  }
  new BranchRows(0).add(watched, "RolloutBranchRecord", {
    line: 1,
    offset: 0,
    stored: Buffer.alloc(0),
    bytes: undefined,
  });
  expect(read).toContain("total_score");
  expect(UNRULED_FIELDS.filter((field) => read.has(field))).toEqual([]);
  expect(UNRULED_FIELDS.filter((field) => !(field in branch))).toEqual([]);
});
