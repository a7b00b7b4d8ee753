import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PARTITION_PARTITION_VERSION, type Partition } from "#generated/index.js";
import { displayName, type InputSource } from "../../../base/files/source.js";
import { toSafeJson } from "../../../base/json/print.js";
import { blockLines, type SourceLine } from "../../../base/jsonl/blocks.js";
import type { ReadInput } from "../../../base/jsonl/file-blocks.js";
import { packageVersion } from "../../../base/package.js";
import {
  type LineRun,
  type LinesOutcome,
  type LinesRequest,
  runLines,
} from "../../../base/run/run-lines.js";
import { escapeControls } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { type OutputPart, RecordOutput } from "../record-output.js";
import { RolloutIds } from "../rollout-ids.js";
import { LineBuckets } from "./buckets.js";
import { compareKeys, isRollout, keyOf, keyOfLine, type RolloutKey } from "./key.js";
import { claimShards, PARTITION_FILE, shardName } from "./manifest.js";

interface PartitionRequest extends LinesRequest {
  /** Folder for the shards. */
  readonly output: string;
  /** Number of shards. */
  readonly count: number;
  /** Bytes of lines that are sorted in memory. Default: see `LineBuckets`. */
  readonly sortedBytes?: number;
}

export interface PartitionOutcome extends LinesOutcome {
  readonly shards: readonly Shard[];
  /** Lines that name no rollout. */
  readonly unplaced: number;
  /** Shards of the former partition in the folder that were removed, since this one has none of their names. */
  readonly removed: number;
}

interface Shard extends Pick<OutputPart, "bytes" | "sha256"> {
  readonly lines: number;
  readonly rollouts: number;
}

/** Least number of buckets: the positions of one are sorted in memory. */
const MIN_BUCKETS = 128;

/**
 * Writes the lines of files to shards in a folder, each rollout as a whole, in the order of their keys: see `RolloutKey`. Lines
 * that are no valid branch are kept as they are, and rollouts that such a line mentions together stay together, so that one
 * export sees it. Nothing is validated.
 *
 * The shards of a former partition in the folder are replaced or removed, once all are written, if they are as they were.
 *
 * Throws UserError as `runLines` and `claimShards` do, and (exit 1) for a line that is too long to be a string, and if there is no line.
 */
export function partitionRollouts(
  { output: folder, count, sortedBytes, ...request }: PartitionRequest,
  source: InputSource,
): Promise<PartitionOutcome> {
  return runLines({ ...request, mayBeEmpty: true }, source, async (run) => {
    const { staging } = run;
    const { cwd } = source;
    staging.makeFolders([resolve(cwd, folder)]);
    // Completes what a killed run began to write here.
    await staging.reserve([join(await realpath(resolve(cwd, folder)), PARTITION_FILE)]);
    const names = Array.from({ length: count }, (_, index) => shardName(index + 1, count));
    const claimed = await claimShards(folder, cwd);
    const former = claimed.filter((name) => !names.includes(name));
    const all = [PARTITION_FILE, ...names, ...former].map((name) => join(folder, name));
    const [manifest = "", ...paths] = await run.lock(all);
    const perShard = Math.ceil(MIN_BUCKETS / count);
    const buckets = run.closing(
      new LineBuckets({ folder: run.folder, count: perShard * count, sortedBytes }),
    );
    const { lines, unplaced } = await distribute(run, buckets);
    if (lines === 0) {
      const names = request.files.map(displayName).join(", ");
      throw new UserError(`${names}: contains no lines: nothing was written`, EXIT.findings);
    }
    const shards: Shard[] = [];
    for (const [index, path] of paths.slice(0, count).entries()) {
      const output = await RecordOutput.open({ path }, staging, true);
      const own = Array.from({ length: perShard }, (_, at) => index * perShard + at);
      shards.push(await writeShard(buckets, own, output));
    }
    // An export of the whole folder would read them too.
    for (const path of paths.slice(count)) await staging.remove(path);
    const described = toManifest(run.input.inputs, shards, unplaced);
    await staging.write(manifest, [toSafeJson(described)]);
    return { result: { shards, unplaced, removed: former.length } };
  });
}

function toManifest(
  inputs: readonly ReadInput[],
  shards: readonly Shard[],
  unplaced: number,
): Partition {
  return {
    partition_version: PARTITION_PARTITION_VERSION,
    tool_version: packageVersion(),
    inputs: inputs.map(({ file, bytes, hash = "" }) => ({ file, bytes, sha256: hash })),
    shards: shards.map((shard, index) => ({
      file: shardName(index + 1, shards.length),
      ...shard,
    })),
    unplaced_lines: unplaced,
  };
}

/** Reads all lines into buckets. Returns their number, and how many name no rollout. */
async function distribute(
  run: LineRun,
  buckets: LineBuckets,
): Promise<{ readonly lines: number; readonly unplaced: number }> {
  const rolloutIds = new RolloutIds();
  const keys = new KeyMemory();
  const links = new Links();
  let [lines, unplaced] = [0, 0];
  const blocks = run.blocks({ documents: true, hashes: true, countLines: () => lines });
  for await (const { file, block } of blocks) {
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
  run.progress.read(0, lines);
  buckets.move(links.homes());
  return { lines, unplaced };
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
  output: RecordOutput,
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
  await output.finish();
  const [{ bytes, sha256 }] = output.parts;
  return { lines, rollouts, bytes, sha256 };
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
