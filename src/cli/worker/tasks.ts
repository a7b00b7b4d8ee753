import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../base/files/inputs.js";
import { ScratchFile } from "../../base/files/scratch-file.js";
import { STDIN } from "../../base/files/source.js";
import { createTempFolder } from "../../base/files/temp.js";
import { isJsonObject, tryParseJson } from "../../base/json/value.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import {
  type EvalSet,
  encodeEvalSet,
  readEvalSet,
} from "../../rollouts/pipeline/decontamination/index-file.js";
import type { TaskSink } from "../../rollouts/pipeline/receiver.js";
import { readTasks } from "../../rollouts/pipeline/write-index.js";
import { readTask, type TaskCounts } from "../../rollouts/wire/decontamination/boilerplate.js";
import type { CommandContext, OptionValues } from "../command.js";
import { readSkips } from "../options.js";
import { writeChunk } from "../output.js";
import { readSeverities } from "../rollout-options.js";

/** Length of the text that is in memory before it is stored. */
const PENDING_LENGTH = 2 ** 16;

/**
 * Writes what `shard index --input` counts of a partition on standard input: a line for each valid rollout, with
 * the hash of its task's words, and the n-grams of the evaluation set in it, each by its first position in the set.
 * `options` are those of the partition's export. Writes nothing, and returns exit code 1, if the partition has errors.
 *
 * Throws UserError: exit 2 if there is no index, exit 3 for one that cannot be read.
 */
export async function writeTasks(
  options: OptionValues,
  context: CommandContext,
): Promise<ExitCode> {
  const index = options.optionalText("evalIndex");
  if (index === undefined) throw new UserError("tasks requires --eval-index", EXIT.usage);
  const { indexed } = readEvalSet(index, context);
  const folder = createTempFolder();
  const tasks = new StoredTasks(join(folder.path, "tasks"), indexed);
  try {
    const request = {
      files: [STDIN],
      limits: { maxErrors: 0 },
      severities: readSeverities(options),
      workers: 1,
      ...readSkips(options),
      mayBeEmpty: true,
    };
    const { findings } = await readTasks(request, tasks, context);
    if (findings.errors > 0) return EXIT.findings;
    for (const chunk of tasks.read()) await writeChunk(context.stdout, chunk);
    return EXIT.ok;
  } finally {
    tasks.close();
    folder.remove();
  }
}

/** Lines about tasks, on disk: all are forgotten if rollouts are read again. */
class StoredTasks implements TaskSink {
  readonly #file: ScratchFile;
  readonly #indexed: EvalSet["indexed"];
  #pending = "";

  constructor(path: string, indexed: EvalSet["indexed"]) {
    this.#file = new ScratchFile(path);
    this.#indexed = indexed;
  }

  add(task: string): void {
    const { corpus, windows } = this.#indexed;
    const { hash, tokens } = readTask(task, corpus);
    this.#pending += `${[hash, ...windows.sharedWindows(tokens)].join(" ")}\n`;
    if (this.#pending.length >= PENDING_LENGTH) this.#flush();
  }

  clear(): void {
    this.#pending = "";
    this.#file.clear();
  }

  read(): Generator<Uint8Array> {
    this.#flush();
    return this.#file.read();
  }

  close(): void {
    this.#file.close();
  }

  #flush(): void {
    this.#file.write(Buffer.from(this.#pending, "latin1"));
    this.#pending = "";
  }
}

/**
 * Writes an index with the counts of tasks on standard input, as `shard index --input` does: a JSON object with the
 * number of distinct `tasks`, and for each n-gram in several of them its first position and their number (`repeated`).
 * `argv` names the index to read and the one to write.
 *
 * Throws UserError: exit 2 for counts that no tasks have, exit 3 for an index that cannot be read.
 */
export async function addTaskCounts(
  [from = "", to = ""]: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const set = readEvalSet(from, context);
  const counts = parseCounts(await readText(STDIN, context), set.indexed.corpus.tokens.length);
  const counted: EvalSet = { ...set, indexed: { ...set.indexed, counts } };
  writeFileSync(join(context.cwd, to), Buffer.concat(encodeEvalSet(counted)));
  return EXIT.ok;
}

function parseCounts(text: string, positions: number): TaskCounts {
  const value = tryParseJson(text);
  if (value === undefined) throw refuse("not JSON");
  const { tasks, repeated } = isJsonObject(value) ? value : {};
  if (!isBelow(tasks, Number.MAX_SAFE_INTEGER)) throw refuse("tasks is no number of tasks");
  if (!Array.isArray(repeated)) throw refuse("repeated is no list");
  const counts = repeated.map((pair: unknown) => {
    const [first, count] = Array.isArray(pair) ? pair : [];
    if (isBelow(first, positions) && isBelow(count, tasks + 1) && count > 1)
      return [first, count] as const;
    throw refuse(`${JSON.stringify(pair)} is no n-gram in several tasks`);
  });
  return { tasks, repeated: new Map(counts) };
}

/** Whether a value is an integer from 0 to below `end`. */
function isBelow(value: unknown, end: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < end;
}

function refuse(problem: string): UserError {
  return new UserError(`<stdin>: no counts of tasks: ${problem}`, EXIT.usage);
}
