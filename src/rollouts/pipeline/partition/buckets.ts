import { join } from "node:path";
import { type RolloutKey, rangeOf } from "./key.js";
import { compareLines, LineFile, type PlacedLine } from "./line-file.js";

/** Default of `pendingBytes`. */
const PENDING_BYTES = 32 * 2 ** 20;

/** Default of `sortedBytes`. */
const SORTED_BYTES = 64 * 2 ** 20;

export interface BucketOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly count: number;
  /** Bytes of lines that are sorted in memory; more are merged from sorted runs on disk. Default 64 MiB. */
  readonly sortedBytes?: number | undefined;
  /** Bytes of lines in memory before they are written, of all buckets together. Default 32 MiB. */
  readonly pendingBytes?: number | undefined;
}

/**
 * Lines on disk, by ranges of their keys: what comes in any order leaves in the order of the keys. Memory does not grow
 * with the lines, nor with those of one rollout.
 */
export class LineBuckets {
  readonly #folder: string;
  readonly #sortedBytes: number;
  /** Bytes of a file in memory before they are written. */
  readonly #pendingBytes: number;
  readonly #buckets: readonly LineFile[];

  constructor({
    folder,
    count,
    sortedBytes = SORTED_BYTES,
    pendingBytes = PENDING_BYTES,
  }: BucketOptions) {
    this.#folder = folder;
    this.#sortedBytes = sortedBytes;
    this.#pendingBytes = Math.ceil(pendingBytes / count);
    this.#buckets = Array.from({ length: count }, (_, index) => this.#create(`bucket-${index}`));
  }

  /** Throws UserError (exit 3) if a file cannot be created or the disk is full. */
  add(key: RolloutKey, line: Uint8Array): void {
    this.#put({ home: key.high, key, line });
  }

  /** Moves rollouts to the places of others. `homes` has the new place of each by `high`. */
  move(homes: ReadonlyMap<number, number>): void {
    const left = new Set([...homes.keys()].map((high) => this.#bucketOf(high)));
    for (const bucket of left) {
      const all = this.#create("moving");
      for (const placed of bucket.read()) all.add(placed);
      bucket.clear();
      for (const { home, key, line } of all.read()) {
        this.#put({ home: homes.get(home) ?? home, key, line });
      }
      all.remove();
    }
  }

  /** The lines of a bucket in the order of their keys; those of a rollout in the order in which they were added. */
  *read(index: number): Generator<PlacedLine> {
    const bucket = this.#buckets[index];
    if (bucket === undefined) return;
    if (bucket.length <= this.#sortedBytes) {
      yield* [...bucket.read(bucket.length)].sort(compareLines);
      return;
    }
    const runs = this.#sortRuns(bucket);
    yield* mergeRuns(runs);
    for (const run of runs) run.remove();
  }

  close(): void {
    for (const bucket of this.#buckets) bucket.close();
  }

  #sortRuns(bucket: LineFile): LineFile[] {
    const runs: LineFile[] = [];
    let [lines, bytes]: [PlacedLine[], number] = [[], 0];
    const end = (): void => {
      const run = this.#create(`run-${runs.length}`);
      for (const placed of lines.sort(compareLines)) run.add(placed);
      runs.push(run);
      [lines, bytes] = [[], 0];
    };
    for (const placed of bucket.read()) {
      if (bytes + placed.line.length > this.#sortedBytes && lines.length > 0) end();
      lines.push(placed);
      bytes += placed.line.length;
    }
    end();
    return runs;
  }

  #create(name: string): LineFile {
    return new LineFile(join(this.#folder, name), this.#pendingBytes);
  }

  #put(placed: PlacedLine): void {
    this.#bucketOf(placed.home).add(placed);
  }

  #bucketOf(high: number): LineFile {
    const bucket = this.#buckets[rangeOf({ high }, this.#buckets.length)];
    if (bucket === undefined) throw new RangeError(`there is no bucket for ${high}`);
    return bucket;
  }
}

/** Merges sorted runs. Of equal lines, that of the earlier run comes first. */
function* mergeRuns(runs: readonly LineFile[]): Generator<PlacedLine> {
  const sources = runs.flatMap((run) => toSource(run.read()));
  while (sources.length > 0) {
    let least = 0;
    for (let other = 1; other < sources.length; other += 1) {
      const [a, b] = [sources[other], sources[least]];
      if (a !== undefined && b !== undefined && compareLines(a.head, b.head) < 0) least = other;
    }
    const source = sources[least];
    if (source === undefined) return;
    yield source.head;
    sources.splice(least, 1, ...toSource(source.rest));
  }
}

interface Source {
  readonly head: PlacedLine;
  readonly rest: Generator<PlacedLine>;
}

/** Empty once the lines are. */
function toSource(rest: Generator<PlacedLine>): Source[] {
  const { value, done } = rest.next();
  return done === true ? [] : [{ head: value, rest }];
}
