import { compete, type Peer } from "../contest.js";
import { type InputId, SHAPES } from "../input-branches.js";
import {
  type ExportWork,
  exportInDuckdb,
  exportInPython,
  exportTo,
  exportToParquet,
  exportToParquetInPython,
  script,
} from "../programs.js";
import { type BenchRow, growth, type Measurement, memoryOf } from "../row.js";

type Bars = Pick<Peer, "speed" | "cost">;

/** The script that a user would write, with the given JSON library. */
function pythonScript(work: ExportWork, json: "json" | "orjson", bars: Bars): Peer {
  return {
    name: `Python with ${json}`,
    racer: (bench, input) => exportInPython(work, json, bench, input),
    ...bars,
  };
}

/** The least work of a program that parses and prints every record. */
function jsonInNode(bars: Bars): Peer {
  return {
    name: "JSON.parse + JSON.stringify",
    isNode: true,
    racer: (bench, input) => script(bench, "peers/json.mjs", "print", bench.input(input)),
    ...bars,
  };
}

function exportRow(id: string, what: string, work: ExportWork, peers: readonly Peer[]): BenchRow {
  return {
    id,
    what,
    inputs: work.g3 ? [...SHAPES, "eval-items"] : SHAPES,
    run: (bench) => compete(bench, { ours: (bench, input) => exportTo(work, bench, input), peers }),
  };
}

const WIRE: ExportWork = { target: "wire" };
const TRAINING: ExportWork = { target: "training" };
const TRL: ExportWork = { target: "trl" };
const G3: ExportWork = { target: "training", g3: true };

export const exportWire = exportRow("export-wire", "export to Layer 2", WIRE, [
  jsonInNode({ speed: 1 }),
  pythonScript(WIRE, "orjson", { speed: 3, cost: 0.7 }),
  pythonScript(WIRE, "json", { speed: 4 }),
  { name: "DuckDB, 2 threads", racer: exportInDuckdb },
]);

export const exportTraining = exportRow("export-training", "export to Layer 3", TRAINING, [
  jsonInNode({}),
  pythonScript(TRAINING, "orjson", { speed: 2, cost: 1 }),
  pythonScript(TRAINING, "json", { speed: 4 }),
]);

export const exportTrl = exportRow("export-trl", "export to trl", TRL, [
  pythonScript(TRL, "orjson", { speed: 2 }),
  pythonScript(TRL, "json", { speed: 4 }),
]);

/** Against the faster script only: what is met there is met against the other. */
export const exportG3 = exportRow("export-g3", "export to Layer 3 with G3", G3, [
  pythonScript(G3, "orjson", { speed: 3 }),
]);

/** The script compresses as we do, with gzip, and has row groups of a similar size. */
export const parquet: BenchRow = {
  id: "parquet",
  what: "export to Layer 2 as Parquet",
  inputs: SHAPES,
  run: (bench) =>
    compete(bench, {
      ours: exportToParquet,
      peers: [{ name: "Python with orjson and pyarrow", racer: exportToParquetInPython, speed: 1 }],
    }),
};

/** Four times the input, with a twentieth of tolerance for noise and caches. */
const BAR = { atMost: 4.2 };

const ORDERS = [
  { label: "rollouts, contiguous", small: "rollouts", large: "rollouts-4x" },
  { label: "rollouts, shuffled", small: "rollouts-shuffled", large: "rollouts-4x-shuffled" },
  { label: "mixed, contiguous", small: "mixed", large: "mixed-4x" },
  { label: "mixed, shuffled", small: "mixed-shuffled", large: "mixed-4x-shuffled" },
] as const satisfies { label: string; small: InputId; large: InputId }[];

export const exportGrowth: BenchRow = {
  id: "export-growth",
  what: "export to Layer 2, 4 times the input",
  inputs: ORDERS.flatMap(({ small, large }) => [small, large]),
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const { label, small, large } of ORDERS) {
      const times = await bench.raceTimes(
        exportTo(WIRE, bench, small),
        exportTo(WIRE, bench, large),
      );
      measurements.push(growth(times, BAR, { label }));
    }
    return measurements;
  },
};

/** Megabytes. */
const MOST = 512;

const LARGEST = [
  { label: "rollouts, 4 times the input", input: "rollouts-4x-shuffled" },
  { label: "mixed, 9 times the input", input: "mixed-9x-shuffled" },
] as const satisfies { label: string; input: InputId }[];

export const exportMemory: BenchRow = {
  id: "export-memory",
  what: "peak memory of export to Layer 2, shuffled",
  inputs: LARGEST.map(({ input }) => input),
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const { label, input } of LARGEST) {
      measurements.push(await memoryOf(bench, exportTo(WIRE, bench, input), MOST, { label }));
    }
    return measurements;
  },
};
