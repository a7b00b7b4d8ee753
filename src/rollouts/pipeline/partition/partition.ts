import type { InputSource } from "../../../base/files/source.js";
import type { FileStaging } from "../../../base/files/staging.js";
import { createTempFolder } from "../../../base/files/temp.js";
import { blockLines, type SourceLine } from "../../../base/jsonl/blocks.js";
import { fileBlocks, type ReadInput, StoredBytes } from "../../../base/jsonl/file-blocks.js";
import type { Progress } from "../../../base/run/staged-run.js";
import { escapeControls } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { OutputFile } from "../receiver.js";
import { RolloutIds } from "../rollout-ids.js";
import { LineBuckets } from "./buckets.js";
import { compareKeys, isRollout, keyOf, keyOfLine, type RolloutKey } from "./key.js";

export interface PartitionRequest {
  readonly files: readonly string[];
  /** Absolute paths of the shards, in order. */
  readonly outputs: readonly string[];
  readonly progress: Progress;
  readonly staging: FileStaging;
  /** Bytes of lines that are sorted in memory. Default: see `LineBuckets`. */
  readonly sortedBytes?: number;
}

export interface PartitionOutcome {
  readonly inputs: readonly ReadInput[];
  readonly shards: readonly Shard[];
  /** Lines that name no rollout. */
  readonly unplaced: number;
}

interface Shard {
  readonly output: OutputFile;
  readonly lines: number;
  readonly rollouts: number;
}

/** Least number of buckets: the positions of one are sorted in memory. */
const MIN_BUCKETS = 128;

/**
 * Writes the lines of files to shards, each rollout as a whole, in the order of their keys: see `RolloutKey`. Lines that
 * are no valid branch are kept as they are, and rollouts that such a line mentions together stay together, so that one
 * export sees it. Nothing is validated.
 *
 * Throws UserError: exit 1 for a line that is too long to be a string, exit 3 if a file cannot be read or written.
 */
export async function partitionRollouts(
  { files, outputs, progress, staging, sortedBytes }: PartitionRequest,
  source: InputSource,
): Promise<PartitionOutcome> {
  const folder = createTempFolder();
  const perShard = Math.ceil(MIN_BUCKETS / outputs.length);
  const count = perShard * outputs.length;
  const buckets = new LineBuckets({ folder: folder.path, count, sortedBytes });
  try {
    const stored = new StoredBytes(files, true);
    const unplaced = await distribute(files, source, { buckets, stored, progress });
    const shards: Shard[] = [];
    for (const [index, path] of outputs.entries()) {
      const output = new OutputFile(await staging.open(path), true);
      const own = Array.from({ length: perShard }, (_, at) => index * perShard + at);
      shards.push(await writeShard(buckets, own, output));
    }
    return { inputs: stored.inputs(), shards, unplaced };
  } finally {
    progress.stop();
    buckets.close();
    folder.remove();
  }
}

interface Distribution {
  readonly buckets: LineBuckets;
  readonly stored: StoredBytes;
  readonly progress: Progress;
}

/** Reads all lines into buckets. Returns how many name no rollout. */
async function distribute(
  files: readonly string[],
  source: InputSource,
  { buckets, stored, progress }: Distribution,
): Promise<number> {
  const rolloutIds = new RolloutIds();
  const keys = new KeyMemory();
  const links = new Links();
  let [lines, unplaced] = [0, 0];
  const onStored = (input: number, chunk: Uint8Array): void => {
    stored.add(input, chunk);
    progress.read(chunk.length, lines);
  };
  for await (const { file, block } of fileBlocks(files, source, { documents: true, onStored })) {
    for (const line of blockLines(block)) {
      lines += 1;
      const bytes = requireBytes(file, line);
      const [id, ...others] = rolloutIds.read(file, line, () => {
        unplaced += 1;
      });
      const key = id === undefined ? keyOfLine(bytes) : keys.of(id);
      for (const other of others) links.join(key.high, keyOf(other).high);
      buckets.add(key, bytes);
    }
  }
  progress.read(0, lines);
  buckets.move(links.homes());
  return unplaced;
}

function requireBytes(file: string, { line, bytes }: SourceLine): Buffer {
  if (bytes !== undefined) return bytes;
  throw new UserError(
    `${escapeControls(file)}:${line}: the line is too long to be read: remove it first`,
    EXIT.findings,
  );
}

async function writeShard(
  buckets: LineBuckets,
  indices: readonly number[],
  output: OutputFile,
): Promise<Shard> {
  let [lines, rollouts] = [0, 0];
  let last: RolloutKey | undefined;
  let pending: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    await output.write(Buffer.concat(pending), pending.length / 2);
    pending = [];
    size = 0;
  };
  for (const index of indices) {
    for (const { key, line } of buckets.read(index)) {
      lines += 1;
      // Lines that begin so are never taken for the beginning of a compressed, binary or Parquet file.
      if (last === undefined && line[0] !== OBJECT) await output.write(NEWLINE, 0);
      const isNew = last === undefined || compareKeys(last, key) !== 0;
      if (isNew && isRollout(key)) rollouts += 1;
      last = key;
      pending.push(line, NEWLINE);
      size += line.length;
      if (size >= WRITE_BYTES) await flush();
    }
  }
  await flush();
  return { output, lines, rollouts };
}

const NEWLINE = Buffer.from("\n");
const OBJECT = 0x7b;
const WRITE_BYTES = 2 ** 20;

/** The keys of the last ids: those of neighbouring lines are often equal. */
class KeyMemory {
  #id = "";
  #key = keyOf("");

  of(id: string): RolloutKey {
    if (id !== this.#id) [this.#id, this.#key] = [id, keyOf(id)];
    return this.#key;
  }
}

/** Rollouts that have to stay together, by the `high` of their keys. */
class Links {
  readonly #parents = new Map<number, number>();

  join(a: number, b: number): void {
    const [one, other] = [this.#root(a), this.#root(b)];
    if (one === other) return;
    // The least is the home of all.
    this.#parents.set(Math.max(one, other), Math.min(one, other));
  }

  /** The home of each rollout that has to leave its own place. */
  homes(): ReadonlyMap<number, number> {
    return new Map([...this.#parents.keys()].map((high) => [high, this.#root(high)]));
  }

  #root(high: number): number {
    let root = high;
    for (
      let parent = this.#parents.get(root);
      parent !== undefined;
      parent = this.#parents.get(root)
    ) {
      root = parent;
    }
    return root;
  }
}
