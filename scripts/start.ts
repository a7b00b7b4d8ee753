import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { expandInputs, findInputs } from "../src/base/files/inputs.js";
import { packageVersion } from "../src/base/package.js";
import type { OutputStream } from "../src/base/paint.js";
import { formatCount, quoteForShell } from "../src/base/text.js";
import { EXIT } from "../src/base/user-error.js";
import { OptionValues } from "../src/cli/command.js";
import { describeExport } from "../src/cli/export/describe.js";
import { DEFAULT_MAX_ERRORS } from "../src/cli/options.js";
import { formatRows, printReport, type SummaryRow } from "../src/cli/output.js";
import { startProgress } from "../src/cli/progress.js";
import { describeFormat } from "../src/cli/schemas.js";
import { compareFiles } from "../src/contract/codegen/compare-files.js";
import { GENERATED_FOLDER } from "../src/contract/codegen/files.js";
import { schemaHashes } from "../src/contract/schemas/hashes.js";
import { createShowStyle, describeRollout } from "../src/rollouts/look/describe-rollout.js";
import { InvalidLines, readViews } from "../src/rollouts/look/read-views.js";
import { writePage } from "../src/rollouts/look/report/write-page.js";
import { exportFiles } from "../src/rollouts/pipeline/export/export.js";
import type { TargetId } from "../src/rollouts/wire/export/targets/index.js";
import { findFresh } from "./fingerprint.js";
import { createScript, runAsProgram, type ScriptContext } from "./run-script.js";

/** Files of the checkout, by path from its root. */
const SAMPLE = {
  input: "fixtures/golden/support-desk/input.jsonl",
  evalItems: "fixtures/golden/support-desk/eval-items.jsonl",
};
const OUTPUTS = { dpo: "out/dpo.jsonl", ppo: "out/ppo.jsonl", sft: "out/sft.jsonl" };
const REPORT = "out/report.html";
const TARGET = "training" satisfies TargetId;

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
    const { root, stdout, stderr, cwd, env } = context;
    const options = new OptionValues(values);
    // Paths in the checkout, relative to the working folder.
    const fromRoot = (path: string): string => relative(cwd, join(root, path));
    const own = options.optionalText("input");
    const input = own ?? fromRoot(SAMPLE.input);
    const evalItems =
      options.optionalText("evalItems") ??
      (own === undefined ? fromRoot(SAMPLE.evalItems) : undefined);
    const outputs = {
      dpo: fromRoot(OUTPUTS.dpo),
      ppo: fromRoot(OUTPUTS.ppo),
      sft: fromRoot(OUTPUTS.sft),
    };

    stdout.write(`${describeContract(root)}\n\n`);
    const generated = await showPhase(stderr, "generated code", () => checkGenerated(root));
    stdout.write(formatRows(generated.rows));
    if (!generated.fresh) return EXIT.findings;

    stdout.write(formatRows([["input", input]]));
    mkdirSync(join(root, "out"), { recursive: true });
    const others = evalItems === undefined ? [] : [evalItems];
    const outcome = await exportFiles(
      {
        files: await findInputs([input], context, { others }),
        keeps: others,
        workers: availableParallelism(),
        limits: { maxErrors: DEFAULT_MAX_ERRORS },
        startProgress: (files) => startProgress(files, context),
      },
      { target: TARGET, ...(evalItems !== undefined && { gate: { set: { items: evalItems } } }) },
      { records: outputs },
      context,
    );
    const skipped = "skipped: no evaluation set, give one with --eval-items FILE";
    stdout.write(formatRows(describeExport(outcome, skipped)));
    if (!outcome.written) {
      stdout.write("\n");
      printReport(outcome.findings.toReport("start"), "text", { stdout, env });
      return EXIT.findings;
    }
    const [page = ""] = await writePage(
      {
        ...{ inputs: [input], evalItems, target: TARGET, output: fromRoot(REPORT) },
        // There is none without pairs.
        pairs: [outputs.dpo].filter((file) => existsSync(resolve(cwd, file))),
        command: describeCommand(values),
        contract: describeFormat(),
      },
      context,
    );
    stdout.write(formatRows([["report", page]]));
    stdout.write(await showPair(input, context));
    stdout.write(`\n${nextCommand(own, evalItems, outputs)}\n`);
    return EXIT.ok;
  },
);

/** Most lines of a rollout that are shown. */
const MAX_SHOWN = 24;

/** The first rollout with a pair; empty if there is none. */
async function showPair(input: string, context: ScriptContext): Promise<string> {
  const files = await expandInputs([input], context);
  for await (const view of readViews(files, context, {
    target: TARGET,
    invalid: new InvalidLines(),
  })) {
    if (view.outcome !== "pair") continue;
    const lines = describeRollout(view, createShowStyle(context));
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

interface Freshness {
  readonly fresh: boolean;
  readonly rows: readonly SummaryRow[];
}

async function checkGenerated(root: string): Promise<Freshness> {
  const fresh = await findFresh(root);
  if (fresh !== undefined) {
    return describeFresh(fresh.fileCount, fresh.schemaCount);
  }
  // The generator takes a second to load.
  const { generateFiles } = await import("../src/contract/codegen/generate-files.js");
  const { files, schemaCount } = await generateFiles(root);
  const differences = compareFiles(root, "generated", files);
  const generated = files.filter(({ path }) => path.startsWith(`${GENERATED_FOLDER}/`));
  if (differences.length === 0) return describeFresh(generated.length, schemaCount);
  const printed = `${formatCount(files.length, "file")} from ${formatCount(schemaCount, "schema")}`;
  return {
    fresh: false,
    rows: [
      ["generated code", `not fresh, ${differences.length} of ${printed}:`],
      ...differences.map(({ kind, path }): SummaryRow => ["", `${path} (${kind})`]),
      ["", "fix:  npm run generate"],
    ],
  };
}

function describeFresh(files: number, schemas: number): Freshness {
  const printed = `${formatCount(files, "file")} from ${formatCount(schemas, "schema")}`;
  return { fresh: true, rows: [["generated code", `fresh, ${printed}`]] };
}

/** The command line, for people who make the report again. */
function describeCommand(values: Readonly<Record<string, unknown>>): string {
  const { input, evalItems } = values;
  const given = [
    ...(input === undefined ? [] : ["--input", String(input)]),
    ...(evalItems === undefined ? [] : ["--eval-items", String(evalItems)]),
  ];
  return ["npm start", ...(given.length > 0 ? ["--"] : []), ...given.map(quoteForShell)].join(" ");
}

function nextCommand(
  own: string | undefined,
  evalItems: string | undefined,
  outputs: { readonly dpo: string; readonly ppo: string },
): string {
  if (own === undefined) {
    return "Your own rollouts:  npm start -- --input rollouts.jsonl --eval-items eval.jsonl";
  }
  if (evalItems === undefined) {
    return `Decontaminated:  npm start -- --input ${own} --eval-items eval.jsonl`;
  }
  return `Check the outputs:  npm run --silent cli -- validate ${outputs.dpo} ${outputs.ppo}`;
}

await runAsProgram(import.meta.url, run);
