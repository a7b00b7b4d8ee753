import type { TaskCounts } from "../decontamination/boilerplate.js";
import type { EvalIndex } from "../decontamination/eval-index.js";
import { resolveExportOptions } from "../export/targets/target.js";
import type { InputSource } from "../files/source.js";
import { createTempFolder } from "../files/temp.js";
import { type FindingLimits, FindingList, toPartLimits } from "../findings/finding-list.js";
import { addNoRecords } from "../validation/check-block.js";
import type { RuleSeverities } from "../validation/profiles.js";
import type { BuiltBlock } from "./build-block.js";
import { buildRollouts, type RolloutReceiver } from "./pipeline.js";
import type { SerializedRollouts } from "./serializer.js";
import type { Progress } from "./staged-run.js";
import { allowGaps } from "./write.js";

export interface CountTasksRequest {
  readonly files: readonly string[];
  readonly index: EvalIndex;
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Threads, from 1. */
  readonly workers: number;
  /** Whether invalid lines and rollouts are left out, with a warning each. Otherwise they are errors. */
  readonly skipInvalid: boolean;
  readonly progress: Progress;
}

export interface CountedTasks {
  readonly findings: FindingList;
  /** Number of rollouts whose tasks were counted. */
  readonly rollouts: number;
  readonly counts: TaskCounts;
}

/**
 * Counts the tasks of all valid rollouts, each distinct one once, as an export counts them before it knows what is
 * boilerplate. If there are errors, the counts mean nothing.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export async function countTasks(
  { files, limits, workers, skipInvalid, progress, ...request }: CountTasksRequest,
  source: InputSource,
): Promise<CountedTasks> {
  const folder = createTempFolder();
  const severities = skipInvalid ? allowGaps(request.severities) : request.severities;
  const receiver = new TaskReceiver(request.index, limits);
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
  const findings = receiver.findings();
  if (findings.errors === 0) addNoRecords(findings, files, receiver.leftOut);
  return { findings, rollouts: receiver.rollouts, counts: receiver.counts() };
}

class TaskReceiver implements RolloutReceiver {
  readonly #index: EvalIndex;
  readonly #limits: FindingLimits;
  readonly #lines: FindingList;
  #found: FindingList;
  #counter: ReturnType<EvalIndex["createTaskCounter"]>;
  #rejected = 0;
  #faulty = 0;
  #rollouts = 0;

  constructor(index: EvalIndex, limits: FindingLimits) {
    this.#index = index;
    this.#limits = limits;
    this.#lines = this.#createList();
    this.#found = this.#createList();
    this.#counter = index.createTaskCounter();
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

  /** Number of lines that are invalid, or of an invalid rollout. */
  get leftOut(): number {
    return this.#rejected + this.#faulty;
  }

  counts(): TaskCounts {
    return this.#counter.counts();
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
      this.#counter.add(task);
    }
  }

  settle(): boolean {
    return false;
  }

  async restart(): Promise<void> {
    this.#found = this.#createList();
    this.#counter = this.#index.createTaskCounter();
    this.#faulty = 0;
    this.#rollouts = 0;
  }

  /** The number of warnings is known only after the lists are joined. */
  #createList(): FindingList {
    return new FindingList(toPartLimits(this.#limits));
  }
}
