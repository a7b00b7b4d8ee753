import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message, RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../base/json/print.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { unpackPage } from "../../rollouts/look/report/testing/unpack-page.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../../rollouts/wire/export/testing/create-event.js";

const ITEM =
  "the tide table of the harbour page shows last month for visitors west of the date line";
const PLANTED = `Remember: ${ITEM}.`;

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("eval.txt", `${ITEM}\n`);
});
afterEach(() => folder.remove());

const said = (role: Message["role"], content: string): Message => ({ role, content });

interface Place {
  readonly pointer: string;
  /** What the summary and the finding call it. */
  readonly place: string;
  readonly fields: Partial<RolloutBranchRecord>;
}

const tool = (description: string, property = "an id") => ({
  type: "function" as const,
  function: {
    name: "find",
    description,
    parameters: { type: "object", properties: { id: { type: "string", description: property } } },
  },
});

const places: readonly Place[] = [
  {
    pointer: "/context/messages/0/content",
    place: "system message",
    fields: { context: { messages: [said("system", PLANTED)] } },
  },
  {
    pointer: "/context/messages/1/content",
    place: "earlier user turn",
    fields: { context: { messages: [said("system", "Be brief."), said("user", PLANTED)] } },
  },
  {
    pointer: "/context/messages/0/content",
    place: "earlier assistant turn",
    fields: { context: { messages: [said("assistant", PLANTED)] } },
  },
  { pointer: "/task", place: "task", fields: { task: PLANTED } },
  {
    pointer: "/turns/0/content",
    place: "user turn 2",
    fields: { turns: [said("user", PLANTED), said("assistant", "Yes.")] },
  },
  {
    pointer: "/turns/0/content",
    place: "user turn 1",
    fields: { task_role: "system", turns: [said("user", PLANTED), said("assistant", "Yes.")] },
  },
  {
    pointer: "/turns/2/content",
    place: "user turn 3",
    fields: {
      turns: [
        said("user", "Hello?"),
        said("assistant", "Yes?"),
        said("user", PLANTED),
        said("assistant", "I see."),
      ],
    },
  },
  {
    pointer: "/context/tools/0/function/description",
    place: "definition of tool find",
    fields: { context: { tools: [tool(PLANTED)] } },
  },
  {
    pointer: "/context/tools/1/function/parameters/properties/id/description",
    place: "definition of tool find",
    fields: { context: { tools: [tool("Finds."), tool("Finds.", PLANTED)] } },
  },
];

/** A rollout of two branches that make a pair, both with the fields. */
function rollout(id: string, fields: Partial<RolloutBranchRecord>): RolloutBranchRecord[] {
  const { turns } = fields;
  return [0, 1].map((index) =>
    createBranch({
      ...{ rollout_id: id, branch_index: index, rank: index + 1, total_score: 1 - index },
      ...{ task: `Do thing ${id}.`, final_answer: `answer ${index}`, ...fields },
      ...(turns && { turns: [...turns, said("assistant", `answer ${index}`)] }),
    }),
  );
}

/** By day, one that writes every text and one that writes the task only. */
const TARGETS = sampleCases(["trl", "trl-sft", "training", "wire"], 2);
const argvFor = (target: string): string[] => [
  ...["export", "--input", "in.jsonl", "--eval-items", "eval.txt", "--target", target],
  ...["--output-dir", target],
];

describe.each(sampleCases(places, 4))(
  "an evaluation item in the $place ($pointer)",
  ({ pointer, place, fields }) => {
    test.each(TARGETS)("is contamination for %s, and named", async (target) => {
      folder.write("in.jsonl", toJsonl([...rollout("clean", {}), ...rollout("dirty", fields)]));
      const { exitCode, stdout, stderr } = await folder.run(argvFor(target));
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toMatch(/^in\.jsonl:3:\d+/);
      expect(stdout).toContain(pointer);
      expect(stdout).toContain(place === "task" ? 'rollout "dirty" shares' : `(${place})`);
      expect(stderr).toContain("1 rollout contaminated");
    });

    test("is contamination in every rollout that shares it, however many they are", async () => {
      const all = Array.from({ length: 30 }, (_, index) => rollout(`r-${index}`, fields));
      folder.write("in.jsonl", toJsonl(place === "task" ? all.slice(0, 1).flat() : all.flat()));
      const { exitCode, stderr } = await folder.run(argvFor("trl"));
      expect(exitCode).toBe(EXIT.findings);
      expect(stderr).toContain(`${place === "task" ? "1 rollout" : "30 rollouts"} contaminated`);
    });

    test("is left out, explained and reported alike", async () => {
      folder.write("in.jsonl", toJsonl([...rollout("clean", {}), ...rollout("dirty", fields)]));
      const dropped = await folder.run([...argvFor("trl"), "--drop-contaminated"]);
      expect([dropped.exitCode, dropped.stderr]).toEqual([
        EXIT.ok,
        expect.stringContaining(
          `1 rollout contaminated${place === "task" ? "" : ` (${place})`}, skipped`,
        ),
      ]);
      const written = readFileSync(join(folder.path, "trl/ppo/train-00000-of-00001.jsonl"), "utf8");
      expect(written).toContain("Do thing clean");
      expect(written).not.toContain(ITEM);
      const manifest = readFileSync(join(folder.path, "trl/manifest.json"), "utf8");
      expect(JSON.parse(manifest)).toMatchObject({
        decontamination: {
          contaminated: [{ rollout_id: "dirty", overlaps: [{ pointer, place, overlap_ratio: 1 }] }],
        },
      });
      const [explained, clean] = await Promise.all(
        ["dirty", "clean"].map((id) =>
          folder.run([...argvFor("trl").slice(0, 5), "--explain", id]),
        ),
      );
      expect(explained?.stdout).toContain(`Contaminated: ${place} (in.jsonl:3 ${pointer})`);
      expect(clean?.stdout).toMatch(/Compared with the evaluation set: \d+ texts?, clean/);
      const report = await folder.run([
        ...["report", "in.jsonl", "--eval-items", "eval.txt", "--output", "page.html"],
      ]);
      expect(report.exitCode).toBe(EXIT.ok);
      const { index, rollouts } = unpackPage(readFileSync(join(folder.path, "page.html"), "utf8"));
      expect(index.totals.contaminated).toBe(1);
      expect(rollouts[1]?.overlaps).toMatchObject([{ pointer, place, branch: 0, ratio: 1 }]);
      expect(rollouts[1]?.overlaps[0]?.spans).toEqual([
        [PLANTED.indexOf(ITEM), PLANTED.indexOf(ITEM) + ITEM.length],
      ]);
    });
  },
);

describe("what is compared", () => {
  const summaryOf = async (branches: readonly RolloutBranchRecord[], ...options: string[]) => {
    folder.write("in.jsonl", toJsonl(branches));
    return await folder.run([...argvFor("trl"), ...options]);
  };
  const turn = said("assistant", "Yes.");

  test("every text of each rollout once, counted in the summary", async () => {
    const context = { messages: [said("system", "Be brief.")], tools: [tool("Finds.")] };
    const turns = [said("assistant", "What?"), said("user", "Go on."), said("user", "")];
    const { exitCode, stderr } = await summaryOf([
      ...rollout("a", { context }),
      ...rollout("b", { context, turns }),
      ...rollout("c", {}),
    ]);
    expect(exitCode).toBe(EXIT.ok);
    // Of a: task, system message and two descriptions; of b, a user turn too; of c, the task.
    expect(stderr).toContain("10 texts of 3 rollouts against 1 evaluation item, n = 8: clean");
  });

  test("in all branches: the finding names the line of the one that was given it", async () => {
    const branches = rollout("r", {}).map((branch, index) => ({
      ...branch,
      ...(index === 1 && {
        turns: [said("user", PLANTED), said("assistant", branch.final_answer)],
      }),
    }));
    const { stdout } = await summaryOf([...rollout("a", {}), ...branches]);
    expect(stdout).toMatch(/^in\.jsonl:4:\d+ +\/turns\/0\/content +rollout "r" \(user turn 2\) /);
  });

  test("nothing after the last turn of the model, nothing that it said, no result of a tool", async () => {
    const calls = [
      { id: "c", type: "function" as const, function: { name: "find", arguments: {} } },
    ];
    const turns = [
      said("assistant", PLANTED),
      { ...turn, tool_calls: calls },
      { ...said("tool", PLANTED), tool_call_id: "c" },
      turn,
      said("user", PLANTED),
    ];
    const data = { toolName: "find", args: {}, callId: "c", output: PLANTED };
    const tool_call_sequence = [createEvent({ event: "tool_call", data })];
    const branches = rollout("r", {}).map((branch) => {
      return { ...branch, turns, tool_call_sequence, final_answer: turn.content };
    });
    const { exitCode, stderr } = await summaryOf(branches);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("1 task against")]);
  });

  test("without template text of tasks, which is none in a system message that all share", async () => {
    const context = { messages: [said("system", PLANTED)] };
    const all = Array.from({ length: 20 }, (_, index) => rollout(`r-${index}`, { context })).flat();
    const { stderr } = await summaryOf(all);
    expect(stderr).toContain("20 rollouts contaminated (system message)");
    expect(stderr).not.toContain("template text");
    // The words of twenty tasks are template text, wherever they stand.
    const tasks = Array.from({ length: 20 }, (_, index) =>
      rollout(`t-${index}`, { task: `${PLANTED} ${index}`, context }),
    ).flat();
    const shared = await summaryOf(tasks);
    expect(shared.stderr).toContain("template text");
  });

  test("by --min-overlap, in every text", async () => {
    const half = ITEM.split(" ").slice(0, 9).join(" ");
    const branches = rollout("r", { context: { messages: [said("system", half)] } });
    expect((await summaryOf(branches)).stderr).toContain("1 rollout contaminated");
    const { stderr } = await summaryOf(branches, "--min-overlap", "0.8");
    expect(stderr).toContain("below minimum");
  });

  test("in shards as in one export", async () => {
    const context = { messages: [said("system", PLANTED)] };
    const all = Array.from({ length: 12 }, (_, index) =>
      rollout(`r-${index}`, index % 3 === 0 ? { context } : {}),
    ).flat();
    folder.write("in.jsonl", toJsonl(all));
    const fixed = ["--exported-at-ms", "1", "--drop-contaminated"];
    await folder.run([...argvFor("trl"), ...fixed]);
    await folder.run([
      "shard",
      "split",
      "--input",
      "in.jsonl",
      "--shards",
      "3",
      "--output",
      "parts",
    ]);
    await folder.run([
      ...["shard", "index", "--input", "parts", "--eval-items", "eval.txt", "--output", "index"],
    ]);
    for (const shard of [1, 2, 3]) {
      const { exitCode } = await folder.run([
        ...["export", "--input", "parts", "--shard", `${shard}/3`, "--eval-index", "index"],
        ...["--target", "trl", ...fixed, "--output-dir", `out-${shard}`],
      ]);
      expect(exitCode).toBe(EXIT.ok);
    }
    const outs = ["out-1", "out-2", "out-3"];
    const joined = await folder.run(["shard", "join", ...outs, "--output", "joined"]);
    expect([joined.exitCode, joined.stdout]).toEqual([EXIT.ok, ""]);
    const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
    for (const kind of ["dpo", "ppo"]) {
      const [joint, single] = ["joined", "trl"].map((name) =>
        read(`${name}/${kind}/train-00000-of-00001.jsonl`).split("\n").sort(),
      );
      expect(joint).toEqual(single);
    }
    const [one, other] = ["trl", "joined"].map((name) => {
      const { decontamination } = JSON.parse(read(`${name}/manifest.json`));
      const { texts, contaminated } = decontamination;
      return [texts, contaminated.map((found: { rollout_id: string }) => found.rollout_id).sort()];
    });
    expect(other).toEqual(one);
    expect(one).toEqual([16, ["r-0", "r-3", "r-6", "r-9"]]);
  });
});
