import { compete } from "../contest.js";
import { SHAPES } from "../input-branches.js";
import { exportToParquet, exportToParquetInPython } from "../programs.js";
import type { BenchRow } from "../row.js";

/** The script compresses as we do, with gzip, and has row groups of a similar size. */
export const parquet: BenchRow = {
  id: "parquet",
  what: "export to Layer 2 as Parquet",
  peer: undefined,
  inputs: SHAPES,
  run: (bench) =>
    compete(bench, {
      ours: exportToParquet,
      peers: [{ name: "Python with orjson and pyarrow", racer: exportToParquetInPython, speed: 1 }],
    }),
};
