import { type FindingLimits, FindingList } from "../../../conformance/finding-list.js";
import { createEvalIndex, type EvalIndex } from "../../decontamination/create-eval-index.js";
import { readEvalItems } from "../../decontamination/read-eval-items.js";
import { type ExportedRollouts, exportRollouts } from "../../export/export-rollouts.js";
import type { TargetId } from "../../export/targets/index.js";
import type { InputSource } from "../../records/input-source.js";
import { requireFiles } from "../../records/require-files.js";
import { toJsonl } from "../../records/to-jsonl.js";
import { writeFiles } from "../../records/write-files.js";
import { findEvalOverlaps } from "./find-eval-overlaps.js";
import { type BranchInput, readBranches } from "./read-branches.js";
import { type OutputPaths, resolveOutputs } from "./resolve-outputs.js";

export interface ExportRequest extends FindingLimits {
  readonly inputs: readonly string[];
  /** Undefined: the tasks are not compared with an evaluation set. */
  readonly evalItems: string | undefined;
  /** Field of the evaluation items that holds their text; undefined for the default. */
  readonly evalField?: string | undefined;
  /** Tokens per n-gram; undefined for the default. */
  readonly n?: number | undefined;
  readonly target: TargetId;
  /** Milliseconds since the Unix epoch; undefined for now. */
  readonly exportedAtMs?: number | undefined;
  readonly outputs: OutputPaths;
}

/** What the tasks were compared with, and how many overlaps there are; each is an error too. */
export interface Decontamination {
  readonly index: EvalIndex;
  readonly overlaps: number;
}

export interface ExportOutcome {
  readonly findings: FindingList;
  readonly input: BranchInput;
  /** Undefined without an evaluation set, and when the input has errors. */
  readonly decontamination: Decontamination | undefined;
  /** What was written; undefined when an error forbade it. */
  readonly exported: ExportedRollouts<object, object, object> | undefined;
}

/** Records that become one piece of text: few enough that no string grows too long. */
const RECORDS_PER_CHUNK = 100;

/**
 * The whole export: reads and checks the branches, compares their tasks with the evaluation set,
 * and writes both files, unless there is any error.
 *
 * Throws UserError for a mistake in the request and for a file that cannot be read or written.
 */
export async function exportFiles(
  request: ExportRequest,
  source: InputSource,
): Promise<ExportOutcome> {
  const { inputs, evalItems, target, exportedAtMs } = request;
  const files = evalItems === undefined ? inputs : [...inputs, evalItems];
  await requireFiles(files, source);
  const outputs = await resolveOutputs(request.outputs, files, source.cwd);
  const findings = new FindingList(request);
  // Before the branches: the smaller file tells a mistake sooner.
  const index = await createIndex(request, source);
  const input = await readBranches(inputs, findings, source);
  const stopped = { findings, input, exported: undefined };
  if (findings.errors > 0) return { ...stopped, decontamination: undefined };
  const decontamination = index && {
    index,
    overlaps: findEvalOverlaps(input.tasks, index, findings),
  };
  if (findings.errors > 0) return { ...stopped, decontamination };
  const exported = exportRollouts(input.branches, { target, exportedAtMs });
  await writeFiles([
    { path: outputs.dpo, chunks: toChunks(exported.dpo) },
    { path: outputs.ppo, chunks: toChunks(exported.ppo) },
  ]);
  return { findings, input, decontamination, exported };
}

async function createIndex(
  { evalItems, evalField, n }: ExportRequest,
  source: InputSource,
): Promise<EvalIndex | undefined> {
  if (evalItems === undefined) return undefined;
  return createEvalIndex(await readEvalItems(evalItems, { field: evalField }, source), { n });
}

function* toChunks(records: readonly object[]): Generator<string> {
  for (let start = 0; start < records.length; start += RECORDS_PER_CHUNK) {
    yield toJsonl(records.slice(start, start + RECORDS_PER_CHUNK));
  }
}
