import { join } from "node:path";
import { isJsonObject } from "../../../src/base/json/value.js";
import { REPO_ROOT } from "../../run-script.js";
import { type Bench, type ProgramRun, runsOf } from "../bench.js";
import { compete } from "../contest.js";
import { type InputId, SHAPES } from "../input-branches.js";
import { nameNode } from "../node-binaries.js";
import { emptyProgram, onNode, script, validate } from "../programs.js";
import { type BenchRow, formatTime, growth, type Measurement, speed } from "../row.js";

export const validateFiles: BenchRow = {
  id: "validate",
  what: "validate",
  inputs: SHAPES,
  run: (bench) =>
    compete(bench, {
      ours: (bench, input) => validate(bench, input),
      peers: [
        {
          name: "JSON.parse",
          isNode: true,
          speed: 1,
          racer: (bench, input) => script(bench, "peers/json.mjs", "parse", bench.input(input)),
        },
        {
          name: "orjson + jsonschema-rs",
          speed: 1,
          cost: 2,
          racer: (bench, input) =>
            script(
              bench,
              "peers/validate_records.py",
              join(REPO_ROOT, "schema"),
              bench.input(input),
            ),
        },
      ],
    }),
};

/** The start of Node, half of it again, and 60 ms. */
const startBar = (seconds: number): number => 1.5 * seconds + 0.06;
/** A run takes a tenth of a second, so that there is time for many. */
const START_ROUNDS = 5;

export const validateSmall: BenchRow = {
  id: "validate-small",
  what: "validate, one record of 1 kB, start to exit",
  inputs: ["one-branch"],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const node of bench.nodes) {
      const [ours, empty] = await bench.raceTimes(
        onNode(node, validate(bench, "one-branch")),
        onNode(node, emptyProgram),
        START_ROUNDS,
      );
      measurements.push({
        label: nameNode(node),
        value: ours.seconds * 1e3,
        unit: "ms",
        bar: { atMost: Math.round(startBar(empty.seconds) * 1e3) },
        figures: `1.5 times the ${formatTime(empty.seconds)} of node -e 0, and 60 ms`,
        cpuSeconds: [ours.cpuSeconds, empty.cpuSeconds],
      });
    }
    return measurements;
  },
};

const WARNING_RULE = "tool-event-dialect";
/** A tenth for finding the place of a warning, and noise. */
const WARNING_BAR = { atMost: 1.15 };

export const validateWarnings: BenchRow = {
  id: "validate-warnings",
  what: `validate, mixed, with the warnings of ${WARNING_RULE}, and with that rule off`,
  inputs: ["mixed"],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const node of bench.nodes) {
      const [without, withRule] = await bench.raceTimes(
        onNode(node, validate(bench, "mixed", "--rule", `${WARNING_RULE}=off`)),
        onNode(node, validate(bench, "mixed")),
      );
      measurements.push(growth([without, withRule], WARNING_BAR, { label: nameNode(node) }));
    }
    return measurements;
  },
};

const PACKAGES = ["jsonschema", "fastjsonschema", "jsonschema-rs"];

export const validator: BenchRow = {
  id: "validator",
  what: "Ajv validator, records in memory, 1 core",
  inputs: ["rollouts-sample"],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const name of PACKAGES) measurements.push(await measure(bench, name));
    return measurements;
  },
};

async function measure(bench: Bench, name: string): Promise<Measurement> {
  const records = bench.input("rollouts-sample");
  const ours = script(bench, "programs/validator.mjs", records);
  const theirs = script(bench, "peers/validator.py", name, join(REPO_ROOT, "schema"), records);
  const runs = await bench.race([ours, theirs]);
  const rates = [bestRate(runsOf(runs, ours)), bestRate(runsOf(runs, theirs))] as const;
  return {
    peer: `${name} for Python`,
    value: rates[0] / rates[1],
    unit: "x",
    bar: { atLeast: 1 },
    figures: rates.map((rate) => `${Math.round(rate).toLocaleString("en-US")}/s`).join(" against "),
  };
}

/** Records per second. Both programs measure time themselves, so that start-up and reading do not count. */
function bestRate(runs: readonly ProgramRun[]): number {
  return Math.max(...runs.map(({ stdout }) => readRate(JSON.parse(stdout))));
}

function readRate(report: unknown): number {
  if (isJsonObject(report)) {
    const { records, seconds } = report;
    if (typeof records === "number" && typeof seconds === "number") return records / seconds;
  }
  throw new TypeError(`not a report of a validator: ${JSON.stringify(report)}`);
}

const SAMPLES = ["rollouts-sample", "mixed-sample"] as const satisfies InputId[];

export const pythonRecords: BenchRow = {
  id: "python-records",
  what: "load_rollouts of the Python package with msgspec",
  inputs: SAMPLES,
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const sample of SAMPLES) {
      // The script alternates between both sides itself, in one process.
      const { stdout } = await bench.run(script(bench, "python_records.py", bench.input(sample)));
      const lines = stdout.trimEnd().split("\n");
      measurements.push(...lines.map((line) => toMeasurement(sample, JSON.parse(line))));
    }
    return measurements;
  },
};

function toMeasurement(label: InputId, report: unknown): Measurement {
  if (isJsonObject(report)) {
    const { peer, seconds, peerSeconds } = report;
    if (typeof peer === "string")
      return speed([Number(seconds), Number(peerSeconds)], { atLeast: 1 }, { label, peer });
  }
  throw new TypeError(`not a comparison: ${JSON.stringify(report)}`);
}
