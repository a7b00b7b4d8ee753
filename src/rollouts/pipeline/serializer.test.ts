import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toRecordLine } from "../../base/jsonl/reader.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import type { BranchFault } from "../wire/validation/check-record.js";
import type { RolloutBuild, RolloutBuilder, RolloutPlan } from "./builder.js";
import { ByteSink, RolloutSerializer, type SerializedRollouts } from "./serializer.js";
import { branchLines } from "./testing/branch-lines.js";
import { exportPlan } from "./testing/export-plan.js";

describe("RolloutSerializer", () => {
  type Build = (branches: readonly RolloutBranchRecord[]) => RolloutBuild;
  type Broken = Pick<RolloutBuilder<RolloutBranchRecord>, "build" | "checkRollout">;

  function serialize(
    build: Build | Broken,
    ids: readonly string[],
    plan: Partial<RolloutPlan> = {},
  ): SerializedRollouts {
    const builder: RolloutBuilder<RolloutBranchRecord> = {
      type: "RolloutBranchRecord",
      reader: { read: toRecordLine, bytesOf: () => undefined },
      outputs: ["first", "second"],
      read: () => undefined,
      checkRollout: () => [],
      ...(typeof build === "function" ? { build } : build),
    };
    const serializer = new RolloutSerializer(builder, { ...exportPlan, ...plan });
    const lines = branchLines(ids.map((rollout_id) => createBranch({ rollout_id })));
    for (const line of lines) serializer.add([line]);
    return serializer.take();
  }

  const fault: BranchFault = {
    branch: 0,
    id: "a-rule",
    severity: "error",
    pointer: "/rank",
    message: "wrong",
  };
  const broken = (id: string): Broken => ({
    checkRollout: ([branch]) => (branch?.rollout_id === id ? [fault] : []),
    build([branch]) {
      const records = [{ id: branch?.rollout_id }];
      return {
        outputs: [{ records: [], omitted: "a-reason" }, { records }],
        unreadableToolEvents: 2,
        missingTools: 0,
      };
    },
  });

  test("records of each output, and the end of those of each rollout", () => {
    const { rollouts, outputs } = serialize(broken("none"), ["a", "é"]);
    const second = '{"id":"a"}\n{"id":"é"}\n';
    expect(outputs.map((bytes) => Buffer.from(bytes).toString())).toEqual(["", second]);
    expect(rollouts.map(({ id, ends, build }) => [id, ends, build?.records])).toEqual([
      ["a", [0, 11], [0, 1]],
      ["é", [0, 23], [0, 1]],
    ]);
    expect(rollouts[0]).toMatchObject({
      task: createBranch().task,
      file: "a.jsonl",
      position: { line: 1, offset: 0 },
      branches: 1,
      build: { omitted: ["a-reason", undefined], unreadableToolEvents: 2, missingTools: 0 },
    });
  });

  describe("a faulty rollout has no records", () => {
    test("and is an error", () => {
      const { rollouts, outputs, tally, rejects } = serialize(broken("b"), ["a", "b", "c"]);
      expect(Buffer.from(outputs[1] ?? []).toString()).toBe('{"id":"a"}\n{"id":"c"}\n');
      expect(rollouts.map(({ build, ends }) => [build === undefined, ends[1]])).toEqual([
        [false, 11],
        [true, 11],
        [false, 22],
      ]);
      expect(tally).toMatchObject({ records: 0, found: { error: 1, warning: 0 } });
      expect(tally.findings).toMatchObject([{ id: "a-rule", file: "a.jsonl", line: 2 }]);
      expect(rejects.length).toBe(0);
    });

    test("or, with skipInvalid, a warning, and kept", () => {
      const { tally, rejects } = serialize(broken("b"), ["a", "b"], {
        skipInvalid: true,
        keepRejects: true,
      });
      expect(tally.found).toEqual({ error: 0, warning: 1 });
      const reject = JSON.parse(Buffer.from(rejects).toString());
      expect(reject).toMatchObject({ line: 2, findings: [{ id: "a-rule", pointer: "/rank" }] });
      expect(JSON.parse(reject.text)).toEqual(createBranch({ rollout_id: "b" }));
    });
  });

  test("a rejected line lists its own faults first, and their number stays limited", () => {
    const serializer = new RolloutSerializer(
      { outputs: [], ...noBuilder },
      { ...exportPlan, skipInvalid: true, keepRejects: true },
    );
    serializer.add(branchLines(Array.from({ length: 50 }, () => createBranch())));
    const lines = Buffer.from(serializer.take().rejects).toString().trimEnd().split("\n");
    const rejects = lines.map((line) => JSON.parse(line));
    expect(rejects.map(({ findings }) => findings.length)).toEqual(Array(50).fill(20));
    const last = rejects.at(-1);
    expect(last.findings.slice(0, 2)).toMatchObject([
      { pointer: "/branch_index" },
      { pointer: "/rank" },
    ]);
    expect(last.findings[0].line).toBeUndefined();
    expect(last.findings[2].line).toBeDefined();
    expect(last.findings_not_listed).toBe(78);
  });

  test("nothing is kept without a rejects file", () => {
    const { tally, rejects } = serialize(broken("b"), ["a", "b"], { skipInvalid: true });
    expect([tally.found.warning, rejects.length]).toEqual([1, 0]);
  });

  test("an empty rollout is an error", () => {
    const serializer = new RolloutSerializer({ outputs: [], ...noBuilder }, exportPlan);
    expect(() => serializer.add([])).toThrow(RangeError);
    expect(serializer.take()).toMatchObject({ rollouts: [], outputs: [] });
  });

  const noBuilder: Omit<RolloutBuilder<RolloutBranchRecord>, "outputs"> = {
    type: "RolloutBranchRecord",
    reader: { read: toRecordLine, bytesOf: () => undefined },
    read: () => undefined,
    checkRollout: () => [],
    build: () => ({ outputs: [], unreadableToolEvents: 0, missingTools: 0 }),
  };
});

describe("ByteSink", () => {
  test("lines in UTF-8, and their length at any time", () => {
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.array(fc.array(fc.string({ unit: "grapheme" }))),
        (size, lines) => {
          const sink = new ByteSink(new ArrayBuffer(size));
          let length = 0;
          for (const pieces of lines) {
            sink.writeLine(pieces);
            length += Buffer.from(`${pieces.join("")}\n`).length;
            expect(sink.length).toBe(length);
          }
          const bytes = sink.toBytes();
          const expected = lines.map((pieces) => `${pieces.join("")}\n`).join("");
          expect(Buffer.from(bytes).toString("utf8")).toBe(expected);
        },
      ),
    );
  });

  test("bytes between texts are copied unchanged", () => {
    const sink = new ByteSink(new ArrayBuffer(0));
    sink.writeLine(['{"a":', Buffer.from("[ 1.0 ]"), "}"]);
    expect(Buffer.from(sink.toBytes()).toString()).toBe('{"a":[ 1.0 ]}\n');
  });
});
