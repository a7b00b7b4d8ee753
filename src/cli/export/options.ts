import { Option } from "commander";
import { COMPRESSION_IDS, type CompressionId } from "../../base/files/compressor.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { EVAL_FIELDS } from "../../rollouts/pipeline/decontamination/eval-items.js";
import type { GateRequest } from "../../rollouts/pipeline/export/evaluation.js";
import type { Destination, ExportChoices } from "../../rollouts/pipeline/export/request.js";
import {
  PLAIN,
  RECORD_FORMATS,
  type RecordFormat,
  type Storage,
} from "../../rollouts/pipeline/export/storage.js";
import { DEFAULT_BOILERPLATE_SHARE } from "../../rollouts/wire/decontamination/boilerplate.js";
import { DEFAULT_MIN_OVERLAP, DEFAULT_N } from "../../rollouts/wire/decontamination/eval-index.js";
import { PAIR_FORMS } from "../../rollouts/wire/export/comparison.js";
import { PAIRINGS, type Pairing } from "../../rollouts/wire/export/selection.js";
import { type TargetId, targets } from "../../rollouts/wire/export/targets/index.js";
import {
  MISSING_TOOLS,
  type MissingTools,
  OUTPUT_KINDS,
  type OutputKind,
  outputKinds,
} from "../../rollouts/wire/export/targets/target.js";
import type { OptionValues } from "../command.js";
import { createLogOptions } from "../import/options.js";
import {
  parseCount,
  parseNumber,
  parsePositive,
  parseRatio,
  parseSize,
} from "../option-parsers.js";
import {
  findingOptions,
  readSkips,
  rejectsOption,
  skipOptions,
  workersOption,
} from "../options.js";
import { redactOptions } from "../redaction.js";
import { readWeights, ruleOptions, shardOption, weightsOption } from "../rollout-options.js";
import { listSchemas } from "../schemas.js";
import { createTargetOption, readTarget } from "../target-option.js";

/** Contents of each kind of file, for `--help`. */
const CONTENTS: Readonly<Record<OutputKind, string>> = {
  dpo: "preference pairs",
  ppo: "reward records",
  sft: "demonstrations",
};

/** Options of `export`. */
export const exportOptions: readonly Option[] = [
  new Option(
    "-i, --input <file...>",
    "further files, folders or glob patterns of branches, or of logs and rows that import recognises, with its options, plain or compressed, or Parquet; - is standard input",
  ),
  new Option(
    "-e, --eval-items <file>",
    "evaluation set: nothing that a model was given may overlap it; - is standard input",
  ),
  new Option(
    "--eval-index <file>",
    "index of an evaluation set that shard index wrote, instead of the set",
  ),
  new Option(
    "--eval-field <name>",
    `field with an evaluation item's text (default: the first of ${EVAL_FIELDS.join(", ")})`,
  ),
  new Option("--allow-missing-g3", "export without an evaluation set (for development only)"),
  new Option("--n <n>", "words per n-gram").argParser(parseCount).default(DEFAULT_N),
  new Option(
    "--boilerplate-share <ratio>",
    "an n-gram in more than this share of the distinct tasks (at least 5, or 2 and 5 evaluation items) is template text and no overlap; 1: none is",
  )
    .argParser(parseRatio)
    .default(DEFAULT_BOILERPLATE_SHARE),
  new Option(
    "--min-overlap <ratio>",
    "overlap ratio below which an item and a text do not overlap; 0: one n-gram is enough",
  )
    .argParser(parseRatio)
    .default(DEFAULT_MIN_OVERLAP),
  ...OUTPUT_KINDS.map(
    (kind) =>
      new Option(
        `--output-${kind} <file>`,
        `${CONTENTS[kind]} (default: ${kind}.jsonl, if no --output- option is given)`,
      ),
  ),
  new Option("--output-dir <folder>", "write a dataset folder with card and manifest instead"),
  new Option(
    "--shard-size <size>",
    "most records in a file of the dataset folder, as bytes of JSONL, such as 500MB",
  ).argParser(parseSize),
  new Option("--store <format>", "form of the records in the dataset folder")
    .choices(RECORD_FORMATS)
    .default(PLAIN.format),
  new Option("--compress [how]", "compress the JSONL of the dataset folder")
    .choices(COMPRESSION_IDS)
    .preset("gzip" satisfies CompressionId),
  new Option(
    "--report <file>",
    "write a JSON report that accounts for every line, branch and rollout",
  ),
  createTargetOption("trainer or format layer to write for"),
  new Option(
    "--pairs <form>",
    "compare the turns in which the acts of two branches part, those in which they differ at all, or their final answers where they part only there; not for training and wire (default: act)",
  ).choices(PAIR_FORMS),
  new Option("--pairing <which>", "branches of a rollout that are paired, by rank")
    .choices(PAIRINGS)
    .default("best-worst" satisfies Pairing),
  new Option("--min-gap <score>", "least difference of the total scores of a pair")
    .argParser(parseNumber)
    .default(0),
  new Option(
    "--max-pairs-per-rollout <n>",
    "keep the pairs with the largest differences (default: no limit)",
  ).argParser(parsePositive),
  new Option(
    "--rank-again",
    "rank what is left of a rollout that lost branches (--skip) by total score",
  ),
  new Option(
    "--missing-tools <what>",
    "branches that call tools and declare none: refuse them, count them, or say nothing",
  )
    .choices(MISSING_TOOLS)
    .default("warn" satisfies MissingTools),
  new Option(
    "--explain <rollout-id>",
    "print what becomes of one rollout and why, as the target gets it; write nothing",
  ),
  new Option(
    "--exported-at-ms <n>",
    "time in the provenance of wire records (default: now)",
  ).argParser(parseCount),
  new Option("--seed <n>", "seed for the random choices of a target")
    .argParser(parseCount)
    .default(0),
  weightsOption,
  shardOption,
  ...skipOptions("invalid", "contaminated", "errored"),
  rejectsOption,
  workersOption,
  ...redactOptions,
  ...ruleOptions,
  ...findingOptions,
  // Those of import, whose help describes them.
  ...createLogOptions().map((option) => option.hideHelp()),
];

/** Reads how records are stored. Throws UserError (exit 2) if they cannot be stored so, or the trainer cannot read it. */
export function readStorage(options: OptionValues): Storage {
  const format = RECORD_FORMATS.find((each) => each === options.text("store")) ?? PLAIN.format;
  const compression = COMPRESSION_IDS.find((id) => id === options.optionalText("compress"));
  const shardBytes = options.optionalCount("shardSize");
  const flags = [
    ...(format === PLAIN.format ? [] : [`--store ${format}`]),
    ...(compression === undefined ? [] : [`--compress ${compression}`]),
    ...(shardBytes === undefined ? [] : ["--shard-size"]),
  ];
  const [first] = flags;
  if (first !== undefined && options.optionalText("outputDir") === undefined) {
    throw new UserError(`${first} requires --output-dir`, EXIT.usage);
  }
  if (compression !== undefined) requireCompressible(format, readTarget(options));
  return { format, compression, shardBytes };
}

function requireCompressible(format: RecordFormat, target: TargetId): void {
  if (format !== "jsonl") {
    throw new UserError(`--compress is for JSONL: ${format} is compressed as it is`, EXIT.usage);
  }
  // LLaMA-Factory tells the format of a file by the end of its name.
  if (targets[target].describeDataset !== undefined) {
    throw new UserError(
      `--compress: the trainer of the target ${target} reads no compressed JSONL: leave it out, or give --store parquet`,
      EXIT.usage,
    );
  }
}

/** Throws UserError (exit 2) if each shard would take something else for an option that is not given. */
export function requireOptionsOfAllShards(options: OptionValues): void {
  if (options.optionalCount("exportedAtMs") === undefined) {
    const why = "so that all shards have one time";
    throw new UserError(`--shard requires --exported-at-ms, ${why}`, EXIT.usage);
  }
  if (options.flag("redact") && options.optionalText("redactKey") === undefined) {
    const why = "so that a secret has one placeholder in all shards";
    throw new UserError(`--shard with --redact requires --redact-key, ${why}`, EXIT.usage);
  }
}

/** The files of the evaluation set. */
export function gateFiles(options: OptionValues): string[] {
  const sets = [options.optionalText("evalItems"), options.optionalText("evalIndex")];
  return sets.filter((file) => file !== undefined);
}

/** Reads which evaluation set the tasks are compared with, and how. Throws UserError (exit 2) unless it is one, or waived. */
export function readGate(options: OptionValues): GateRequest | undefined {
  const items = options.optionalText("evalItems");
  const index = options.optionalText("evalIndex");
  const how = {
    boilerplateShare: options.count("boilerplateShare"),
    minOverlap: options.count("minOverlap"),
    drop: readSkips(options).dropContaminated,
  };
  if (index !== undefined) {
    options.refuse(["evalItems", "evalField", "n"], "cannot be combined with --eval-index");
    return { set: { index }, ...how };
  }
  const field = options.optionalText("evalField");
  if (items !== undefined) return { set: { items, field, n: options.count("n") }, ...how };
  if (!options.flag("allowMissingG3")) {
    throw new UserError(
      "no evaluation set to decontaminate against: give --eval-items FILE, or --allow-missing-g3 to export without",
      EXIT.usage,
    );
  }
  options.refuse(["evalField"], "requires --eval-items");
  if (how.drop) throw new UserError("--skip contaminated requires --eval-items", EXIT.usage);
  return undefined;
}

/** Reads where the files go. Throws UserError (exit 2) if options exclude each other, or the target writes no such file. */
export function readDestination(options: OptionValues): Destination {
  return {
    storage: readStorage(options),
    records: readRecords(options),
    report: options.optionalText("report"),
    describeSchemas: listSchemas,
  };
}

/** A file for each kind of record, or a folder for all of them. */
function readRecords(options: OptionValues): Destination["records"] {
  const folder = options.optionalText("outputDir");
  const named = {
    dpo: options.optionalText("outputDpo"),
    ppo: options.optionalText("outputPpo"),
    sft: options.optionalText("outputSft"),
  };
  const given = OUTPUT_KINDS.filter((kind) => named[kind] !== undefined);
  if (folder !== undefined) {
    if (given.length === 0) return { folder };
    throw new UserError(`--output-${given[0]} cannot be combined with --output-dir`, EXIT.usage);
  }
  const target = readTarget(options);
  const written = outputKinds(targets[target]);
  const foreign = given.find((kind) => !written.includes(kind));
  if (foreign !== undefined) {
    throw new UserError(
      `--output-${foreign}: the target ${target} writes no such file`,
      EXIT.usage,
    );
  }
  const kinds = given.length > 0 ? given : written;
  return Object.fromEntries(kinds.map((kind) => [kind, named[kind] ?? `${kind}.jsonl`]));
}

/** Reads which records are made, and how. Throws UserError (exit 2) if the target writes no such pairs. */
export function readSelection(options: OptionValues): ExportChoices["options"] {
  const target = readTarget(options);
  const pairs = PAIR_FORMS.find((form) => form === options.optionalText("pairs"));
  const which = PAIRINGS.find((each) => each === options.text("pairing"));
  const missing = MISSING_TOOLS.find((what) => what === options.text("missingTools"));
  if (pairs !== undefined && targets[target].toPreference === undefined) {
    const why = targets[target].toDpo === undefined ? "writes no pairs" : "writes whole pairs only";
    throw new UserError(`--pairs ${pairs}: the target ${target} ${why}`, EXIT.usage);
  }
  return {
    exportedAtMs: options.optionalCount("exportedAtMs"),
    seed: options.count("seed"),
    weights: readWeights(options),
    pairs,
    pairing: which,
    minGap: options.count("minGap"),
    maxPairs: options.optionalCount("maxPairsPerRollout"),
    rankAgain: options.flag("rankAgain"),
    missingTools: missing,
  };
}
