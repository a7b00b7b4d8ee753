import type { EntryTypeName } from "#generated/index.js";
import { addNoRecords } from "../../../conformance/add-no-records.js";
import { type FindingList, toPartLimits } from "../../../conformance/finding-list.js";
import type { InputSource } from "../../records/input-source.js";
import { SpareMemory } from "../../records/spare-memory.js";
import { type FileBlocksOptions, fileBlocks } from "../parallel/file-blocks.js";
import { mapOrdered } from "../parallel/map-ordered.js";
import { openPool } from "../parallel/open-pool.js";

export interface CheckFilesRequest extends FileBlocksOptions {
  readonly files: readonly string[];
  /** What every line has to be; undefined: what its shape suggests. */
  readonly type: EntryTypeName | undefined;
  /** Threads, from 1. */
  readonly workers: number;
}

/**
 * Streams the lines of JSONL files through all checks; what is wrong goes to `findings`, in the order of
 * the lines. Throws UserError (exit 3) for a file that cannot be read.
 */
export async function checkFiles(
  { files, type, workers, ...options }: CheckFilesRequest,
  findings: FindingList,
  source: InputSource,
): Promise<void> {
  const memory = new SpareMemory();
  const { pool, blocks } = await openPool(fileBlocks(files, source, { ...options, memory }), {
    workers,
    worthBytes: options.blockBytes,
  });
  try {
    const { maxErrors } = toPartLimits(findings.limits);
    const checked = mapOrdered(blocks, pool.concurrency, ({ file, block }) =>
      pool.run(
        "checkBlock",
        { file, block, type, maxErrors },
        block.bytes ? [block.bytes.buffer] : [],
      ),
    );
    for await (const { tally, buffers } of checked) {
      findings.addTally(tally);
      memory.giveBack(buffers);
    }
  } finally {
    await pool.close();
  }
  addNoRecords(findings, files);
}
