import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { EXIT } from "../src/user-error.js";
import { HOME } from "./home.js";
import { ensurePythonEnv } from "./python-env.js";
import { runScript } from "./run-script.js";

/** One comparison, both sides measured in the same run. */
interface Measurement {
  readonly what: string;
  readonly peer: string;
  readonly seconds: number;
  readonly peerSeconds: number;
}

const GOLDEN = join(HOME, "fixtures/golden/support-desk/input.jsonl");
const COPIES = 100;

await runScript(
  {
    name: "bench",
    summary: "Measures speed against peers, in one run on this machine; prints ratios.",
    options: [["--input <file>", "rollouts to measure on, instead of the bundled ones"]],
  },
  async ({ input }, { stdout }) => {
    const folder = mkdtempSync(join(tmpdir(), "rollout-wire-bench-"));
    try {
      const file = typeof input === "string" ? input : writeCopies(folder);
      const measurements = runPython(file);
      stdout.write(`${describeMachine()}\ninput: ${describeInput(file)}\n\n`);
      for (const measurement of measurements) stdout.write(`${describe(measurement)}\n`);
      return EXIT.ok;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

function writeCopies(folder: string): string {
  const file = join(folder, "rollouts.jsonl");
  writeFileSync(file, readFileSync(GOLDEN, "utf8").repeat(COPIES));
  return file;
}

function runPython(file: string): Measurement[] {
  const output = execFileSync(
    ensurePythonEnv(),
    [join(HOME, "scripts/bench/python_records.py"), file],
    {
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: join(HOME, "generated/python") },
    },
  );
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function describeMachine(): string {
  const [cpu] = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  return `machine: ${cpus().length} x ${cpu?.model.trim()}, ${gibibytes} GiB, Node ${process.versions.node}`;
}

function describeInput(file: string): string {
  const text = readFileSync(file, "utf8");
  const megabytes = (Buffer.byteLength(text) / 1e6).toFixed(1);
  return `${text.trimEnd().split("\n").length} records, ${megabytes} MB`;
}

/** A ratio above 1 means that we are faster than the peer. */
function describe({ what, peer, seconds, peerSeconds }: Measurement): string {
  const ratio = (peerSeconds / seconds).toFixed(2);
  const times = `${(seconds * 1e3).toFixed(1)} ms against ${(peerSeconds * 1e3).toFixed(1)} ms`;
  return `${what.padEnd(34)} ${ratio.padStart(5)} x  ${peer.padEnd(38)} ${times}`;
}
