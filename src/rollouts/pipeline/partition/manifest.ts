import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isPartition, type PartitionShard } from "#generated/index.js";
import { hashFile } from "../../../base/files/hash.js";
import { hasCode, toReadError } from "../../../base/files/source.js";
import { tryParseJson } from "../../../base/json/value.js";
import { escapeControls } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";

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
  /** Hash of the manifest: shards with the same one are of the same partition. */
  readonly partition: string;
  /** All files of the partition. An output must not replace them. */
  readonly siblings: readonly string[];
}

/**
 * Finds a shard of the partition in a folder. Throws UserError: exit 2 if the folder holds no partition, or one with
 * another number of shards, exit 3 if its manifest cannot be read, or the shard is not what shard split wrote.
 */
export async function chooseShard(
  folder: string,
  { number, count }: ShardChoice,
  cwd: string,
): Promise<ChosenShard> {
  const { shards, hash } = readPartition(folder, cwd);
  const { length } = shards;
  const shard = shards[number - 1];
  if (length !== count || shard === undefined) {
    throw new UserError(
      `--shard ${number}/${count}: ${folder} has ${length} shards, such as ${Math.min(number, length)}/${length}`,
      EXIT.usage,
    );
  }
  const file = await requireUnchanged(folder, shard, cwd);
  return { number, count, file, partition: hash, siblings: listFiles(folder, shards) };
}

/** The partition that is the only input. */
export interface InputPartition {
  /** The files of its shards, in order, as a user would name them. */
  readonly files: readonly string[];
  /** Hash of the manifest. */
  readonly hash: string;
  /** All files of the partition. An output must not replace them. */
  readonly siblings: readonly string[];
}

/**
 * Finds the partition that is the only input; undefined if the input is none. Throws UserError (exit 3) if its manifest
 * cannot be read, or a shard is not what shard split wrote.
 */
export async function findPartition(
  inputs: readonly string[],
  cwd: string,
): Promise<InputPartition | undefined> {
  const [folder, ...others] = inputs;
  if (folder === undefined || others.length > 0) return undefined;
  if (!existsSync(resolve(cwd, folder, PARTITION_FILE))) return undefined;
  const { shards, hash } = readPartition(folder, cwd);
  const files: string[] = [];
  for (const shard of shards) files.push(await requireUnchanged(folder, shard, cwd));
  return { files, hash, siblings: listFiles(folder, shards) };
}

/**
 * Names of the shards of the partition in a folder that may be replaced or removed; none if it holds no partition. Throws
 * UserError: as `chooseShard` does, and (exit 2) if a file with the name of a shard is not in the manifest, or has changed
 * since.
 */
export async function claimShards(folder: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, folder);
  const { shards } = existsSync(join(path, PARTITION_FILE))
    ? readPartition(folder, cwd)
    : { shards: [] };
  const present = readdirSync(path).filter((name) => SHARD_NAME.test(name));
  for (const name of present) {
    const shard = shards.find(({ file }) => file === name);
    if (shard === undefined) throw refuse(folder, name, `no ${PARTITION_FILE} lists it`);
    const change = await findChange(shard, join(folder, name), cwd);
    if (change !== undefined) throw refuse(folder, name, `${change} since shard split wrote it`);
  }
  return present;
}

function refuse(folder: string, name: string, problem: string): UserError {
  return new UserError(
    `output ${join(folder, name)}: ${problem}: move it away, or choose another folder`,
    EXIT.usage,
  );
}

const SHARD_NAME = /^part-\d{5}-of-\d{5}\.jsonl$/;

function listFiles(folder: string, shards: readonly PartitionShard[]): string[] {
  return [PARTITION_FILE, ...shards.map(({ file }) => file)].map((name) => join(folder, name));
}

/** Returns the file of a shard. Throws UserError (exit 3) if it is not what shard split wrote. */
async function requireUnchanged(
  folder: string,
  shard: PartitionShard,
  cwd: string,
): Promise<string> {
  const file = join(folder, shard.file);
  const change = await findChange(shard, file, cwd);
  if (change === undefined) return file;
  const again =
    change === MISSING ? "run shard split again" : "remove it, and run shard split again";
  throw new UserError(`${escapeControls(file)}: ${change} since shard split wrote it: ${again}`);
}

const MISSING = "is missing";

/** How the file of a shard is not what shard split wrote. Throws UserError (exit 3) if it cannot be read. */
async function findChange(
  { bytes, sha256 }: PartitionShard,
  file: string,
  cwd: string,
): Promise<string | undefined> {
  const path = resolve(cwd, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return MISSING;
  if (!found.isFile()) return "is no file any more";
  if (found.size !== bytes) return "has another size";
  const hash = await hashFile(path).catch((error) => {
    throw toReadError(file, error);
  });
  return hash === sha256 ? undefined : "has changed";
}

function readPartition(
  folder: string,
  cwd: string,
): { readonly shards: readonly PartitionShard[]; readonly hash: string } {
  const name = join(folder, PARTITION_FILE);
  const path = resolve(cwd, name);
  let text: string | undefined;
  try {
    // Reading a pipe would wait for its writer.
    if (statSync(path).isFile()) text = readFileSync(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT") && !hasCode(error, "ENOTDIR")) throw toReadError(name, error);
  }
  if (text === undefined) {
    throw new UserError(
      `--shard: ${folder} is no folder that shard split wrote: it has no ${PARTITION_FILE}`,
      EXIT.usage,
    );
  }
  const manifest = tryParseJson(text);
  if (!isPartition(manifest)) {
    throw new UserError(
      `${name}: is no manifest of a partition (partition/v1): remove it, or choose another folder`,
    );
  }
  const hash = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return { shards: manifest.shards, hash };
}
