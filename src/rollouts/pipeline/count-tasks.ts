import type { InputSource } from "../../base/files/source.js";
import { createTempFolder } from "../../base/files/temp.js";
import { type FindingLimits, FindingList, toPartLimits } from "../../base/findings/finding-list.js";
import type { Progress } from "../../base/run/staged-run.js";
import type { TaskCounts } from "../wire/decontamination/boilerplate.js";
import type { EvalIndex } from "../wire/decontamination/eval-index.js";
import { resolveExportOptions } from "../wire/export/targets/target.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import type { BuiltBlock } from "./build-block.js";
import { buildRollouts, type RolloutReceiver } from "./pipeline.js";
import type { SerializedRollouts } from "./serializer.js";
import { allowGaps } from "./write.js";

export interface ReadTasksRequest {
  readonly files: readonly string[];
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Threads, from 1. */
  readonly workers: number;
  /** Whether invalid lines and rollouts are left out, with a warning each. Otherwise they are errors. */
  readonly skipInvalid: boolean;
  readonly progress: Progress;
}

/** Takes the tasks of valid rollouts, in order. */
export interface TaskSink {
  add(task: string): void;
  /** Forgets all tasks, which are then given again. */
  clear(): void;
}

export interface ReadTasks {
  readonly findings: FindingList;
  /** Number of rollouts whose tasks were given to the sink. */
  readonly rollouts: number;
  /** Number of lines that are invalid, or of an invalid rollout. */
  readonly leftOut: number;
}

export interface CountedTasks extends Omit<ReadTasks, "leftOut"> {
  readonly counts: TaskCounts;
}

/**
 * Counts the tasks of all valid rollouts, each distinct one once, as an export counts them before it knows what is
 * boilerplate. If there are errors, the counts mean nothing.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export async function countTasks(
  { index, ...request }: ReadTasksRequest & { readonly index: EvalIndex },
  source: InputSource,
): Promise<CountedTasks> {
  let counter = index.createTaskCounter();
  const sink: TaskSink = {
    add: (task) => counter.add(task),
    clear: () => {
      counter = index.createTaskCounter();
    },
  };
  const { findings, rollouts, leftOut } = await readTasks(request, sink, source);
  if (findings.errors === 0) findings.addNoRecords(request.files, leftOut);
  return { findings, rollouts, counts: counter.counts() };
}

/**
 * Reads the tasks of all valid rollouts. If there are errors, some are missing.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export async function readTasks(
  { files, limits, workers, skipInvalid, progress, ...request }: ReadTasksRequest,
  sink: TaskSink,
  source: InputSource,
): Promise<ReadTasks> {
  const folder = createTempFolder();
  const severities = skipInvalid ? allowGaps(request.severities) : request.severities;
  const receiver = new TaskReceiver(sink, limits);
  const plan = {
    builder: { id: "export", target: "wire", kinds: [], options: resolveExportOptions() },
    severities,
    maxErrors: toPartLimits(limits).maxErrors,
    skipInvalid,
    keepRejects: false,
  } as const;
  const onStored = (_: number, chunk: Uint8Array): void =>
    progress.read(chunk.length, receiver.lines);
  try {
    const run = { files, plan, workers, folder: folder.path, onStored, progress };
    await buildRollouts(run, receiver, source);
  } finally {
    progress.stop();
    folder.remove();
  }
  const { rollouts, leftOut } = receiver;
  return { findings: receiver.findings(), rollouts, leftOut };
}

class TaskReceiver implements RolloutReceiver {
  readonly #sink: TaskSink;
  readonly #limits: FindingLimits;
  readonly #lines: FindingList;
  #found: FindingList;
  #rejected = 0;
  #faulty = 0;
  #rollouts = 0;

  constructor(sink: TaskSink, limits: FindingLimits) {
    this.#sink = sink;
    this.#limits = limits;
    this.#lines = this.#createList();
    this.#found = this.#createList();
  }

  get lineLimits(): FindingLimits {
    return this.#lines.partLimits;
  }

  get lines(): number {
    return this.#lines.records;
  }

  get wantsRollouts(): boolean {
    return this.#lines.errors === 0;
  }

  get rollouts(): number {
    return this.#rollouts;
  }

  get leftOut(): number {
    return this.#rejected + this.#faulty;
  }

  findings(): FindingList {
    const all = new FindingList(this.#limits);
    all.addTally(this.#lines.toTally());
    if (this.wantsRollouts) all.addTally(this.#found.toTally());
    return all;
  }

  async checked({ tally, rejected }: BuiltBlock): Promise<void> {
    this.#lines.addTally(tally);
    this.#rejected += rejected;
  }

  async built({ tally, rollouts }: SerializedRollouts): Promise<void> {
    this.#found.addTally(tally);
    for (const { faulty, branches, task } of rollouts) {
      if (faulty) {
        this.#faulty += branches;
        continue;
      }
      this.#rollouts += 1;
      this.#sink.add(task);
    }
  }

  settle(): boolean {
    return false;
  }

  async restart(): Promise<void> {
    this.#found = this.#createList();
    this.#sink.clear();
    this.#faulty = 0;
    this.#rollouts = 0;
  }

  /** The number of warnings is known only after the lists are joined. */
  #createList(): FindingList {
    return new FindingList(toPartLimits(this.#limits));
  }
}
