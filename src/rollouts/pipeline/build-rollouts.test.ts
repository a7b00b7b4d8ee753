import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BLOCK_BYTES } from "../../base/jsonl/file-blocks.js";
import { runLines } from "../../base/run/run-lines.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import type { BuiltBlock, ScatteredJob } from "./build-block.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { OutputReceiver } from "./receiver.js";
import type { SerializedRollouts } from "./serializer.js";
import { toLines } from "./testing/block-of.js";
import { builderOf, exportPlan } from "./testing/export-plan.js";
import { batchGroups, buildRollouts } from "./write-rollouts.js";

describe("buildRollouts", () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = createTestFolder();
  });
  afterEach(() => folder.remove());

  /** Logs the calls it receives. */
  class Notes extends OutputReceiver {
    readonly calls: string[] = [];
    readonly #wantsRollouts: boolean;

    constructor(wantsRollouts = true) {
      super({ limits: { maxErrors: 10 }, outputs: [] });
      this.#wantsRollouts = wantsRollouts;
    }

    override get wantsRollouts(): boolean {
      return this.#wantsRollouts;
    }

    override async checked({ tally }: BuiltBlock): Promise<void> {
      this.calls.push(`checked ${tally.records}`);
    }

    override async built({ rollouts }: SerializedRollouts): Promise<void> {
      for (const { id, branches } of rollouts) this.calls.push(`${id} ${branches}`);
    }

    override async restart(): Promise<void> {
      this.calls.push("restart");
    }
  }

  /** Passes blocks of one branch per letter through standard input. */
  async function feed(blocks: readonly string[], receiver: OutputReceiver, workers?: number) {
    let index = 0;
    const texts = blocks.map((ids) =>
      toLines(
        [...ids].map((rollout_id) => {
          index += 1;
          return createBranch({ rollout_id, branch_index: index, rank: index });
        }),
      ),
    );
    await runLines(
      {
        files: ["-"],
        limits: { maxErrors: 10 },
        mayBeEmpty: true,
        ...(workers !== undefined && { blockBytes: 1 }),
      },
      { cwd: folder.path, stdin: Readable.from(texts.map((text) => Buffer.from(text))) },
      async (run) => {
        const blockBytes = workers === undefined ? undefined : 1;
        const options = { plan: exportPlan, workers: workers ?? 1, blockBytes };
        await buildRollouts(run, builderOf(exportPlan), options, receiver);
        return { result: {} };
      },
    );
  }

  test("adjacent rollouts are built while reading", async () => {
    const notes = new Notes();
    await feed(["aab", "bcc"], notes);
    expect(notes.calls.filter((call) => !call.startsWith("checked"))).toEqual([
      "a 2",
      "b 2",
      "c 2",
    ]);
  });

  test("if the receiver can judge only now, all are rebuilt once more", async () => {
    class Late extends Notes {
      override settle(): boolean {
        return true;
      }
    }
    for (const { blocks, rollouts, restarts } of [
      { blocks: ["aab", "bcc"], rollouts: ["a 2", "b 2", "c 2"], restarts: 1 },
      { blocks: ["ab", "a"], rollouts: ["a 2", "b 1"], restarts: 2 },
    ]) {
      const notes = new Late();
      await feed(blocks, notes);
      const calls = notes.calls.filter((call) => !call.startsWith("checked"));
      expect(calls.slice(calls.lastIndexOf("restart") + 1)).toEqual(rollouts);
      expect(calls.filter((call) => call === "restart")).toHaveLength(restarts);
    }
  });

  test("if a rollout reappears, all are rebuilt", async () => {
    const notes = new Notes();
    await feed(["aab", "ca"], notes, 1);
    const restart = notes.calls.indexOf("restart");
    expect(restart).toBeGreaterThan(0);
    expect(notes.calls.slice(restart + 1)).toEqual(["a 3", "b 1", "c 1"]);
  });

  test("rollouts that are not wanted are neither built nor reread", async () => {
    const notes = new Notes(false);
    await feed(["ab", "ab", "ab"], notes, 1);
    expect(notes.calls).toEqual(["checked 2", "checked 2", "checked 2"]);
  });

  test("blocks arrive in order from any number of threads", async () => {
    const notes = new Notes();
    await feed(["a", "bb", "ccc", "dddd", "eeeee", "f"], notes, 3);
    expect(notes.calls.filter((call) => call.startsWith("checked"))).toEqual(
      [1, 2, 3, 4, 5, 1].map((lines) => `checked ${lines}`),
    );
  });

  describe("an error of the receiver ends the run", () => {
    class Failing extends Notes {
      readonly #at: "checked" | "built" | "restart";

      constructor(at: "checked" | "built" | "restart") {
        super();
        this.#at = at;
      }

      override async checked(block: BuiltBlock): Promise<void> {
        this.#fail("checked");
        await super.checked(block);
      }

      override async built(serialized: SerializedRollouts): Promise<void> {
        this.#fail("built");
        await super.built(serialized);
      }

      override async restart(): Promise<void> {
        this.#fail("restart");
        await super.restart();
      }

      #fail(at: "checked" | "built" | "restart"): void {
        if (at === this.#at) throw new Error(`no room when ${at}`);
      }
    }

    test.each(["checked", "built", "restart"] as const)("in %s", async (at) => {
      await expect(feed(["ab", "a"], new Failing(at))).rejects.toThrow(`no room when ${at}`);
      await expect(feed(["ab", "a", "b", "cc"], new Failing(at), 2)).rejects.toThrow(
        `no room when ${at}`,
      );
    });
  });
});

describe("batchGroups", () => {
  type Batch = Pick<ScatteredJob, "inputs" | "positions">;
  const inputs = new Map([
    [0, { file: "a", path: "/a" }],
    [1, { file: "b", path: "/b" }],
  ]);

  const position = (hash: number, input: number, length: number): LinePosition => {
    return { hash, input, offset: 0, length, line: 1, checksum: 0 };
  };

  async function batch(groups: Iterable<readonly LinePosition[]>): Promise<Batch[]> {
    const jobs: Batch[] = [];
    for await (const job of batchGroups(groups, inputs)) jobs.push(job);
    return jobs;
  }

  const rowsOf = ({ positions }: Batch) => positions.length / positionCodec.width;

  test("a single job for few rollouts, with only the inputs it needs", async () => {
    const groups = [[position(1, 0, 10), position(1, 0, 10)], [position(2, 0, 10)]];
    const [job, ...more] = await batch(groups);
    expect([more.length, job?.inputs]).toEqual([0, new Map([...inputs].slice(0, 1))]);
    expect(job && positionCodec.fromNumbers(job.positions, 2 * positionCodec.width)).toEqual(
      position(2, 0, 10),
    );
    expect(await batch([])).toEqual([]);
  });

  test("a new job after enough bytes, but never within a rollout", async () => {
    const half = BLOCK_BYTES / 2;
    const large = Array.from({ length: 6 }, () => position(1, 0, half));
    const jobs = await batch([
      large,
      [position(2, 1, half)],
      [position(3, 0, half)],
      [position(4, 0, 1)],
    ]);
    expect(jobs.map(rowsOf)).toEqual([6, 2, 1]);
    expect(jobs.map(({ inputs }) => [...inputs.keys()])).toEqual([[0], [1, 0], [0]]);
  });

  test("a new job after enough rollouts", async () => {
    const groups = Array.from({ length: 2049 }, (_, hash) => [position(hash, 0, 1)]);
    expect((await batch(groups)).map(rowsOf)).toEqual([1024, 1024, 1]);
  });
});
