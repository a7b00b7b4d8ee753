import { expect, test } from "vitest";
import { Bench, type Racer, type Runs } from "./bench.js";
import { compete } from "./contest.js";

/** Runs no program: each one of a race has written so many records to its two files. */
class WritingBench extends Bench {
  readonly #records: readonly (readonly number[])[];

  constructor(records: readonly (readonly number[])[]) {
    const nodes = [{ version: "24.1.0", path: "node" }];
    super({ folder: "none", branches: 40, runs: 1, python: "python3", nodes });
    this.#records = records;
  }

  override async race(racers: Iterable<Racer>): Promise<Runs> {
    const run = { seconds: 1, cpuSeconds: 1, peakBytes: 1, stdout: "" };
    return new Map(
      [...racers].map((racer, index) => [racer, [{ ...run, records: this.#records[index] ?? [] }]]),
    );
  }
}

const racer = (): Racer => () => ({ argv: ["true"] });

/** One program against a peer that writes, and one that does not. */
function contestOf(...records: readonly (readonly number[])[]) {
  const peers = [
    { name: "writer", racer },
    { name: "reader", racer },
  ];
  return compete(new WritingBench(records), { ours: racer, peers });
}

test("programs that wrote the same records are compared, and those that write none", async () => {
  expect(await contestOf([3, 8], [3, 8], [])).toHaveLength(4);
});

test.each([
  [[3, 8], [3, 7], "3 + 8, 3 + 7"],
  [[3, 8], [2, 8], "3 + 8, 2 + 8"],
  [[0, 8], [0, 8], "0 + 8"],
])(
  "programs that wrote other records, or none, are not compared: %j, %j",
  async (ours, theirs, said) => {
    await expect(contestOf(ours, theirs)).rejects.toThrow(
      `the programs wrote no or different records: ${said}`,
    );
  },
);
