import type { InputSource } from "../../base/files/source.js";
import { type LineRun, type LinesOutcome, runLines } from "../../base/run/run-lines.js";
import type { TaskCounts } from "../wire/decontamination/boilerplate.js";
import {
  type IndexedItems,
  indexItems,
  openEvalIndex,
} from "../wire/decontamination/eval-index.js";
import { resolveExportOptions } from "../wire/export/targets/target.js";
import { readEvalFile } from "./decontamination/eval-items.js";
import { encodeEvalSet } from "./decontamination/index-file.js";
import type { OutputReceiver, TaskSink } from "./receiver.js";
import { type RolloutsRequest, writeRollouts } from "./write-rollouts.js";

interface IndexRequest extends RolloutsRequest {
  /** File of the evaluation set. */
  readonly evalItems: string;
  /** Field of its items that contains their text. Undefined: the default fields. */
  readonly field?: string | undefined;
  /** Tokens per n-gram. */
  readonly n: number;
  /** Hash of the partition whose shards are the files. Undefined: they are none. */
  readonly partition?: string | undefined;
  readonly output: string;
}

export interface IndexOutcome extends LinesOutcome {
  /** Number of evaluation items. */
  readonly items: number;
  /** Size of the index. */
  readonly bytes: number;
  /** Number of rollouts and counts of their tasks; undefined without files. */
  readonly counted: { readonly rollouts: number; readonly tasks: TaskCounts } | undefined;
}

/**
 * Writes the index of an evaluation set. With files, it has the counts of the tasks of all valid rollouts, each distinct one
 * once, as an export counts them before it knows what is boilerplate.
 *
 * Throws UserError as `runLines`, `readEvalFile` and `indexItems` do.
 */
export function writeIndex(
  { evalItems, field, n, partition, output, ...request }: IndexRequest,
  source: InputSource,
): Promise<IndexOutcome> {
  const hasFiles = request.files.length > 0;
  return runLines({ ...request, mayBeEmpty: !hasFiles }, source, async (run) => {
    const staged = await run.open(output);
    const { items, file } = await readEvalFile(evalItems, { field }, source);
    const indexed = indexItems(items, n);
    const counted = hasFiles ? await countTasks(run, request, indexed) : undefined;
    const counts = counted?.tasks;
    let bytes = 0;
    for (const part of encodeEvalSet({ indexed: { ...indexed, counts }, file, partition })) {
      await staged.write(part);
      bytes += part.length;
    }
    return {
      ...(counted && { leftOut: counted.leftOut }),
      result: { items: indexed.corpus.itemCount, bytes, counted },
    };
  });
}

async function countTasks(
  run: LineRun,
  request: RolloutsRequest,
  indexed: IndexedItems,
): Promise<NonNullable<IndexOutcome["counted"]> & { readonly leftOut: number }> {
  const index = openEvalIndex(indexed);
  let counter = index.createTaskCounter();
  const tasks: TaskSink = {
    add: (task) => counter.add(task),
    clear: () => {
      counter = index.createTaskCounter();
    },
  };
  const { counts, leftOut } = await receiveTasks(run, request, tasks);
  return { rollouts: counts.rollouts, tasks: counter.counts(), leftOut };
}

/**
 * Reads the tasks of all valid rollouts. If there are errors, some are missing.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export function readTasks(
  request: RolloutsRequest,
  tasks: TaskSink,
  source: InputSource,
): Promise<LinesOutcome> {
  return runLines(request, source, async (run) => {
    const { leftOut } = await receiveTasks(run, request, tasks);
    return { leftOut, result: {} };
  });
}

async function receiveTasks(
  run: LineRun,
  request: RolloutsRequest,
  tasks: TaskSink,
): Promise<OutputReceiver> {
  const options = resolveExportOptions();
  const builder = { id: "export", target: "wire", kinds: [], options } as const;
  const { receiver } = await writeRollouts(run, request, { builder, outputs: [], tasks });
  return receiver;
}
