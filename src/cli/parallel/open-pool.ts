import { BLOCK_BYTES, type FileBlock } from "./file-blocks.js";
import { inlinePool, startPool, type TaskPool } from "./task-pool.js";

export interface OpenPoolOptions {
  /** Threads, from 1. */
  readonly workers: number;
  /** Bytes from which on threads are worth starting. */
  readonly worthBytes?: number | undefined;
}

/** A pool with the blocks that it is to work on. */
export interface PooledBlocks {
  readonly pool: TaskPool;
  readonly blocks: AsyncGenerator<FileBlock>;
}

/** Starts threads for the blocks, or none where there is little to do. */
export async function openPool(
  blocks: AsyncGenerator<FileBlock>,
  { workers, worthBytes = BLOCK_BYTES }: OpenPoolOptions,
): Promise<PooledBlocks> {
  const heads: FileBlock[] = [];
  let bytes = 0;
  while (bytes <= worthBytes) {
    const { value, done } = await blocks.next();
    if (done === true) return { pool: inlinePool, blocks: prepend(heads, blocks) };
    heads.push(value);
    bytes += value.block.bytes?.length ?? 0;
  }
  return { pool: startPool(workers), blocks: prepend(heads, blocks) };
}

async function* prepend(
  heads: FileBlock[],
  rest: AsyncGenerator<FileBlock>,
): AsyncGenerator<FileBlock> {
  try {
    // Let go of one by one: they are large.
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) yield head;
    yield* rest;
  } finally {
    // The file is open already, also when nobody wants more than the heads.
    await rest.return(undefined);
  }
}
