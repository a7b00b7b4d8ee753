import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { DEFAULT_WEIGHTS } from "../wire/scoring/score.js";
import { type BranchRow, branchCodec } from "../wire/validation/branch-rows.js";
import { profiles } from "../wire/validation/profiles.js";
import { AdjacentRollouts, type CheckFilesRequest, checkFiles } from "./validate.js";

describe("checkFiles", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  const good = JSON.stringify(createBranch());
  const foreign = good.replace("[]", '[{"tool_name":"search","args":{}}]');
  const pieces = Array.from({ length: 40 }, (_, index) =>
    [good, "NaN", foreign, good.replace('"rank":1', '"rank":0')][index % 4]?.concat("\n"),
  );
  beforeAll(() => {
    folder.write("a", pieces.join(""));
  });

  async function check(
    request: Partial<CheckFilesRequest>,
    limits = { maxErrors: 5, maxWarnings: 3 },
  ) {
    const source = { cwd: folder.path, stdin: Readable.from(pieces) };
    const { findings, rollouts, skippedRollouts } = await checkFiles(
      {
        files: ["a", "-"],
        limits,
        type: undefined,
        severities: profiles.strict,
        weights: DEFAULT_WEIGHTS,
        workers: 1,
        ...request,
      },
      source,
    );
    const { bytes, warningIds } = findings;
    const checked = { rollouts, skippedRollouts };
    return { report: findings.toReport("validate"), bytes, warningIds, checked };
  }

  test("the report does not depend on threads and blocks", async () => {
    const inline = await check({});
    expect(inline.report).toMatchObject({
      checked: 80,
      found: { error: 40 + 17, warning: 3 },
      notListed: { error: 52, warning: 0 },
    });
    expect(await check({ workers: 1, blockBytes: 1 })).toEqual(inline);
    expect(await check({ workers: 3, blockBytes: 700 })).toEqual(inline);
  });

  test("scores are compared with the given weights, also on threads", async () => {
    folder.write("scored", good.concat("\n").repeat(9));
    const files = ["scored"];
    expect((await check({ files })).warningIds).toEqual([]);
    const weights = { objective: 1, judge: 0 };
    const { report, warningIds } = await check(
      { files, weights },
      { maxErrors: 5, maxWarnings: 9 },
    );
    expect([report.found.warning, warningIds]).toEqual([9, ["score-in-range"]]);
    const threads = { files, weights, workers: 2, blockBytes: 700 };
    expect((await check(threads, { maxErrors: 5, maxWarnings: 9 })).report).toEqual(report);
  });

  describe("ranks that count from 0", () => {
    /** The findings about branches of one rollout with these ranks, and the exit-relevant counts. */
    async function checkRanks(ranks: readonly number[], more: readonly string[] = []) {
      const branches = ranks.map((rank, branch_index) =>
        JSON.stringify(createBranch({ branch_index, rank, total_score: 1.3 - rank / 10 })),
      );
      folder.write("ranks", [...branches, ...more].join("\n"));
      const { report, checked } = await check(
        { files: ["ranks"] },
        { maxErrors: 9, maxWarnings: 9 },
      );
      const found = report.findings.map(({ line, pointer, id }) => `${line} ${pointer} ${id}`);
      return { found, ...checked };
    }

    test("are one finding per rollout, beside the invalid line", async () => {
      expect(await checkRanks([1, 0, 2])).toEqual({
        found: ["2 /rank minimum", "2 /rank zero-based-ranks"],
        rollouts: 1,
        skippedRollouts: 0,
      });
    });

    test("are not any ranks with a 0, for which the other rules are applied", async () => {
      expect((await checkRanks([0, 0, 0])).found).toEqual([
        "1 /rank minimum",
        "2 /rank minimum",
        "3 /rank minimum",
      ]);
      expect((await checkRanks([0, 2, 2])).found).toEqual([
        "1 /rank minimum",
        "3 /rank rank-permutation",
      ]);
      expect((await checkRanks([0, 1, 4])).found).toEqual([
        "1 /rank minimum",
        "3 /rank rank-permutation",
      ]);
    });

    test("are not looked for if a line has another fault", async () => {
      const faulty = JSON.stringify(createBranch({ branch_index: 3, rank: 0, task: "" }));
      const skipped = { rollouts: 0, skippedRollouts: 1 };
      expect(await checkRanks([0, 1], [faulty])).toMatchObject(skipped);
      expect(await checkRanks([0, 1], ["NaN"])).toMatchObject(skipped);
    });
  });

  test("one error per file without records", async () => {
    folder.write("empty", "\n");
    const { report } = await check({ files: ["empty"] });
    expect(report.findings).toMatchObject([{ id: "no-records", file: "empty" }]);
  });

  test("an unreadable file while threads process the previous one", async () => {
    const checking = check({ files: ["a", "none"], workers: 2, blockBytes: 1 });
    await expect(checking).rejects.toThrow(UserError);
  });
});

describe("AdjacentRollouts", () => {
  function row(hash: number, rank: number, more: Partial<BranchRow> = {}): BranchRow {
    const place = { input: 0, offset: 0, length: 1, line: 1 };
    const facts = { branchIndex: rank, task: 1, rank, totalScore: 1 / rank };
    return { ...place, ...facts, hash, otherHash: hash, ...more };
  }

  /** Each list contains the rows of one block. */
  function check(blocks: readonly (readonly BranchRow[])[], maxSeen?: number): number | undefined {
    const rollouts = new AdjacentRollouts(profiles.strict, maxSeen);
    for (const rows of blocks) rollouts.add(Float64Array.from(rows.flatMap(branchCodec.toNumbers)));
    return rollouts.end();
  }

  test("adjacent rollouts are counted, wherever blocks end", () => {
    expect(check([])).toBe(0);
    expect(check([[row(1, 1), row(1, 2), row(2, 1)], [row(2, 2)], [], [row(3, 1)]])).toBe(3);
  });

  test("a faulty rollout is checked again, including the last one", () => {
    expect(check([[row(1, 1), row(1, 1), row(2, 1)]])).toBeUndefined();
    expect(check([[row(1, 1), row(2, 1)], [row(2, 1)]])).toBeUndefined();
  });

  test("a rollout that reappears is checked again, and so are two rollouts with the same hash", () => {
    expect(check([[row(1, 1), row(2, 1)], [row(1, 2)]])).toBeUndefined();
    expect(check([[row(1, 1), row(1, 2, { otherHash: 2 })]])).toBeUndefined();
  });

  test("with more rollouts than can be remembered, all are checked again", () => {
    expect(check([[row(1, 1), row(2, 1)]], 2)).toBe(2);
    expect(check([[row(1, 1), row(2, 1), row(3, 1)]], 2)).toBeUndefined();
  });
});
