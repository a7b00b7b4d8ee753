import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { OptionValues } from "../src/cli/command.js";
import { describeExport } from "../src/cli/export/describe.js";
import { exportFiles } from "../src/cli/export/export.js";
import { DEFAULT_MAX_ERRORS } from "../src/cli/options.js";
import { formatRows, printReport, type SummaryRow } from "../src/cli/output.js";
import { packageVersion } from "../src/package-version.js";
import { schemaHashes } from "../src/schemas/hashes.js";
import { formatCount } from "../src/text.js";
import { EXIT } from "../src/user-error.js";
import { compareFiles } from "./codegen/compare-files.js";
import { generateFiles } from "./codegen/generate-files.js";
import { HOME, runScript } from "./run-script.js";

const SAMPLE = {
  input: fromRoot("fixtures/golden/support-desk/input.jsonl"),
  evalItems: fromRoot("fixtures/golden/support-desk/eval-items.jsonl"),
};
const OUTPUTS = {
  dpo: fromRoot("out/dpo.jsonl"),
  ppo: fromRoot("out/ppo.jsonl"),
  sft: fromRoot("out/sft.jsonl"),
};

await runScript(
  {
    name: "start",
    summary: "The main job: checks rollouts and exports DPO and PPO training records to out/.",
    options: [
      ["--input <file>", "your own rollouts; the bundled sample by default"],
      ["--eval-items <file>", "evaluation set that no task may share an n-gram with"],
    ],
  },
  async (values, { stdout }) => {
    const options = new OptionValues(values);
    const own = options.optionalText("input");
    const input = own ?? SAMPLE.input;
    const evalItems =
      options.optionalText("evalItems") ?? (own === undefined ? SAMPLE.evalItems : undefined);

    stdout.write(`${describeContract()}\n\n`);
    const generated = await checkGenerated();
    stdout.write(formatRows(generated.rows));
    if (!generated.fresh) return EXIT.findings;

    stdout.write(formatRows([["input", input]]));
    mkdirSync(join(HOME, "out"), { recursive: true });
    const outcome = await exportFiles(
      {
        inputs: [input],
        evalItems,
        target: "training",
        destination: OUTPUTS,
        workers: availableParallelism(),
        maxErrors: DEFAULT_MAX_ERRORS,
      },
      { stdin: process.stdin, cwd: process.cwd() },
    );
    const skipped = "skipped: no evaluation set, give one with --eval-items FILE";
    stdout.write(`${formatRows(describeExport(outcome, skipped))}\n`);
    if (!outcome.written) {
      printReport(outcome.findings.toReport("start"), "text", { stdout, env: process.env });
      return EXIT.findings;
    }
    stdout.write(`${nextCommand(own, evalItems)}\n`);
    return EXIT.ok;
  },
);

/** A path of the repository as it is called from the working folder. */
function fromRoot(path: string): string {
  return relative(process.cwd(), join(HOME, path));
}

/** Version of the program and of the format, and the hash that tells this copy of it from another. */
function describeContract(): string {
  const schema = readFileSync(join(HOME, "schema/rollout-wire.schema.json"), "utf8");
  const digits = schemaHashes(schema).canonical.replace(/^.*:/, "").slice(0, 8);
  return `rollout-wire ${packageVersion()}   ${ROLLOUT_BRANCH_SCHEMA_VERSION}   canonical ${digits}`;
}

async function checkGenerated(): Promise<{ fresh: boolean; rows: SummaryRow[] }> {
  const { files, schemaCount } = await generateFiles(HOME);
  const differences = compareFiles(HOME, "generated", files);
  const printed = `${formatCount(files.length, "file")} from ${formatCount(schemaCount, "schema")}`;
  if (differences.length === 0) {
    return { fresh: true, rows: [["generated code", `fresh, ${printed}`]] };
  }
  return {
    fresh: false,
    rows: [
      ["generated code", `not fresh, ${differences.length} of ${printed}:`],
      ...differences.map(({ kind, path }): SummaryRow => ["", `${path} (${kind})`]),
      ["", "mend:  npm run generate"],
    ],
  };
}

function nextCommand(own: string | undefined, evalItems: string | undefined): string {
  if (own === undefined) {
    return "Your own rollouts:  npm start -- --input rollouts.jsonl --eval-items eval.jsonl";
  }
  if (evalItems === undefined) {
    return `Decontaminated:  npm start -- --input ${own} --eval-items eval.jsonl`;
  }
  return `Check the outputs:  npm run --silent cli -- validate ${OUTPUTS.dpo} ${OUTPUTS.ppo}`;
}
