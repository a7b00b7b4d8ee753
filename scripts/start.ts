import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { schemaHashes } from "../conformance/index.js";
import { packageVersion } from "../src/base/package.js";
import type { OutputStream } from "../src/base/paint.js";
import { EXIT, type ExitCode, UserError } from "../src/base/user-error.js";
import { run as runProgram } from "../src/cli/commands/index.js";
import { formatRows } from "../src/cli/summary.js";
import { isDpoTrainingRecord, readRecords } from "../src/index.js";
import { createScript, runAsProgram, type ScriptContext } from "./run-script.js";

/** Files of the checkout, by path from its root. */
const SAMPLE = {
  input: "fixtures/golden/support-desk/input.jsonl",
  evalItems: "fixtures/golden/support-desk/eval-items.jsonl",
};
const OUTPUTS = { dpo: "out/dpo.jsonl", ppo: "out/ppo.jsonl", report: "out/report.html" };

export const run = createScript(
  {
    name: "start",
    summary: "The main job: checks rollouts and exports DPO and PPO training records to out/.",
    options: [
      ["--input <file>", "your own rollouts; the bundled sample by default"],
      ["--eval-items <file>", "evaluation set that no task may share an n-gram with"],
    ],
  },
  async (values, context) => {
    const { root, stdout, stderr, cwd } = context;
    // Paths in the checkout, relative to the working folder.
    const fromRoot = (path: string): string => relative(cwd, join(root, path));
    const own = optionalText(values.input);
    const input = own ?? fromRoot(SAMPLE.input);
    const sampleItems = own === undefined ? fromRoot(SAMPLE.evalItems) : undefined;
    const evalItems = optionalText(values.evalItems) ?? sampleItems;
    const gate = evalItems === undefined ? [] : ["--eval-items", evalItems];
    const [dpo, ppo] = [fromRoot(OUTPUTS.dpo), fromRoot(OUTPUTS.ppo)];

    stdout.write(`${describeContract(root)}\n\n`);
    const generated = await showPhase(stderr, "generated code", () => checkGenerated(context));
    if (generated !== EXIT.ok) return generated;

    stdout.write(formatRows([["input", input]]));
    mkdirSync(join(root, "out"), { recursive: true });
    const needed = evalItems === undefined ? ["--allow-missing-g3"] : gate;
    const outputs = ["--target", "training", "--output-dpo", dpo, "--output-ppo", ppo];
    const { exitCode, result, summary } = await showPhase(stderr, "export", () =>
      runCommand(["export", "--input", input, ...needed, ...outputs], context),
    );
    if (exitCode > EXIT.findings) throw new UserError(summary.trimEnd(), exitCode);
    stdout.write(summary);
    if (exitCode === EXIT.findings) {
      stdout.write(`\n${result}`);
      return exitCode;
    }
    // There is none without pairs.
    const pairs = existsSync(resolve(cwd, dpo)) ? ["--pairs", dpo] : [];
    const page = ["--target", "training", "--output", fromRoot(OUTPUTS.report)];
    const report = await runCommand(["report", input, ...pairs, ...gate, ...page], context);
    const [written = ""] = report.summary.split("\n");
    stdout.write(formatRows([["report", written]]));
    if (pairs.length > 0) stdout.write(await showPair(input, dpo, context));
    stdout.write(`\n${nextCommand(own, evalItems, dpo, ppo)}\n`);
    return EXIT.ok;
  },
);

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Runs a command of the program. Returns its exit code, its result, and what it says about it. */
async function runCommand(argv: readonly string[], context: ScriptContext) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const exit = runProgram(argv, { ...context, stdout, stderr }).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [exitCode, result, summary] = await Promise.all([exit, text(stdout), text(stderr)]);
  return { exitCode, result, summary };
}

/** Most lines of a rollout that are shown. */
const MAX_SHOWN = 24;

/** The rollout of the first pair. */
async function showPair(input: string, dpo: string, context: ScriptContext): Promise<string> {
  for await (const [first] of readRecords(resolve(context.cwd, dpo))) {
    if (first === undefined || !("value" in first) || !isDpoTrainingRecord(first.value)) break;
    const { rollout_id: id } = first.value.provenance;
    const { result } = await runCommand(["show", input, "--rollout", id], context);
    const lines = result.trimEnd().split("\n");
    const more = lines.length > MAX_SHOWN ? ["  ..."] : [];
    return ["", ...lines.slice(0, MAX_SHOWN), ...more, ""].join("\n");
  }
  return "";
}

/** Shows the current step on a terminal while it runs. */
async function showPhase<T>(
  stderr: OutputStream,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true) return await work();
  stderr.write(formatRows([[name, "checking ..."]]).trimEnd());
  try {
    return await work();
  } finally {
    stderr.write("\r\u001b[K");
  }
}

/** Version of the program and of the format, and the hash that identifies this copy of the format. */
function describeContract(root: string): string {
  const schema = readFileSync(join(root, "schema/rollout-wire.schema.json"), "utf8");
  const digits = schemaHashes(schema).canonical.replace(/^.*:/, "").slice(0, 8);
  return `rollout-wire ${packageVersion()}   ${ROLLOUT_BRANCH_SCHEMA_VERSION}   canonical ${digits}`;
}

/** Compares the generated code with the schemas, and prints the result. */
async function checkGenerated(context: ScriptContext): Promise<ExitCode> {
  const inRoot = { ...context, cwd: context.root };
  const { exitCode, result, summary } = await runCommand(["generate", "--check"], inRoot);
  if (exitCode !== EXIT.ok) context.stdout.write(`${result}${summary}`);
  else context.stdout.write(formatRows([["generated code", "up to date"]]));
  return exitCode;
}

function nextCommand(
  own: string | undefined,
  evalItems: string | undefined,
  ...outputs: readonly string[]
): string {
  if (own === undefined) {
    return "Your own rollouts:  npm start -- --input rollouts.jsonl --eval-items eval.jsonl";
  }
  if (evalItems === undefined) {
    return `Decontaminated:  npm start -- --input ${own} --eval-items eval.jsonl`;
  }
  return `Check the outputs:  npm run --silent cli -- validate ${outputs.join(" ")}`;
}

await runAsProgram(import.meta.url, run);
