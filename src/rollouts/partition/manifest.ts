import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isPartition, type Partition, type PartitionShard } from "#generated/index.js";
import { toReadError } from "../../files/source.js";
import { escapeControls } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";

/** The file of a partition that says what its shards hold. */
export const PARTITION_FILE = "partition.json";

/** The file of a shard by its number, from 1. */
export function shardName(number: number, count: number): string {
  const pad = (value: number): string => String(value).padStart(5, "0");
  return `part-${pad(number)}-of-${pad(count)}.jsonl`;
}

/** One of several shards, from 1. */
export interface ShardChoice {
  readonly number: number;
  readonly count: number;
}

/** A shard of a partition. */
export interface ChosenShard extends ShardChoice {
  /** Its file, as a user would name it. */
  readonly file: string;
  readonly shard: PartitionShard;
  /** Hash of the manifest: shards with the same one are of the same partition. */
  readonly partition: string;
}

/**
 * Finds a shard of the partition in a folder. Throws UserError: exit 2 if the folder holds no partition, or one with
 * another number of shards, exit 3 if its manifest cannot be read.
 */
export function chooseShard(
  folder: string,
  { number, count }: ShardChoice,
  cwd: string,
): ChosenShard {
  const { manifest, hash } = readPartition(folder, cwd);
  const { length } = manifest.shards;
  const shard = manifest.shards[number - 1];
  if (length !== count || shard === undefined) {
    throw new UserError(
      `--shard ${number}/${count}: ${folder} has ${length} shards, such as ${Math.min(number, length)}/${length}`,
      EXIT.usage,
    );
  }
  const file = join(folder, shard.file);
  const size = statSync(resolve(cwd, file), { throwIfNoEntry: false })?.size;
  if (size !== shard.bytes) {
    throw changed(file, size === undefined ? "is missing" : "has another size");
  }
  return { number, count, file, shard, partition: hash };
}

/** Throws UserError (exit 3) if the bytes of a shard that was read are not those that partition wrote. */
export function requireUnchanged({ file, shard }: ChosenShard, sha256: string | undefined): void {
  if (sha256 !== shard.sha256) throw changed(file, "has changed");
}

function changed(file: string, how: string): UserError {
  return new UserError(
    `${escapeControls(file)}: ${how} since partition wrote it: run partition again`,
  );
}

/** Hash of the manifest of the partition that is the only input; undefined if the input is none. */
export function findPartition(inputs: readonly string[], cwd: string): string | undefined {
  const [folder, ...others] = inputs;
  if (folder === undefined || others.length > 0) return undefined;
  if (!existsSync(resolve(cwd, folder, PARTITION_FILE))) return undefined;
  return readPartition(folder, cwd).hash;
}

/** Names of the shards of the partition in a folder; none if it holds no partition. Throws UserError as `chooseShard` does. */
export function listShards(folder: string, cwd: string): string[] {
  if (!existsSync(resolve(cwd, folder, PARTITION_FILE))) return [];
  const { shards } = readPartition(folder, cwd).manifest;
  // Not the names in the manifest: it may have been edited, and what these name is removed.
  return shards.map((_, index) => shardName(index + 1, shards.length));
}

function readPartition(
  folder: string,
  cwd: string,
): { readonly manifest: Partition; readonly hash: string } {
  const name = join(folder, PARTITION_FILE);
  let text: string;
  try {
    text = readFileSync(resolve(cwd, name), "utf8");
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      ["ENOENT", "ENOTDIR"].includes(String(error.code))
    ) {
      throw new UserError(
        `--shard: ${folder} is no folder that partition wrote: it has no ${PARTITION_FILE}`,
        EXIT.usage,
      );
    }
    throw toReadError(name, error);
  }
  const manifest = parse(text);
  if (!isPartition(manifest)) {
    throw new UserError(`${name}: is no manifest of a partition (partition/v1)`);
  }
  return { manifest, hash: `sha256:${createHash("sha256").update(text).digest("hex")}` };
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
