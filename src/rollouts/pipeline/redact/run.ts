import type { InputSource } from "../../../base/files/source.js";
import { FindingList, toPartLimits } from "../../../base/findings/finding-list.js";
import { BufferPool } from "../../../base/jsonl/buffer-pool.js";
import { type FileBlocksOptions, fileBlocks } from "../../../base/jsonl/file-blocks.js";
import { runStaged, SILENT, type Stage, type StagedRequest } from "../../../base/run/staged-run.js";
import {
  type RedactionPlan,
  SecretCounter,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { gatherDocuments } from "../import/units.js";
import { mapOrdered, openPool } from "../workers.js";

export interface RedactRequest
  extends Pick<StagedRequest, "files" | "limits" | "progress" | "staging">,
    Pick<FileBlocksOptions, "blockBytes"> {
  readonly plan: RedactionPlan;
  /** Absolute path. Undefined: each secret is an error, and nothing is written. */
  readonly output: string | undefined;
  /** Threads, from 1. */
  readonly workers: number;
}

export interface RedactOutcome {
  readonly findings: FindingList;
  /** The secrets that were found. */
  readonly secrets: SecretCounts;
  /** Whether the output was committed. False if there were errors. */
  readonly written: boolean;
}

/**
 * Redacts the lines of files, in order and atomically: see `runStaged`. A line without secrets keeps its bytes. A
 * file that is one JSON document becomes one line. Text that is not JSON is redacted as text, with a warning.
 *
 * Throws UserError (exit 3) if a file cannot be read or written.
 */
export function redactFiles(request: RedactRequest, source: InputSource): Promise<RedactOutcome> {
  return runStaged((stage) => redactStaged(request, source, stage), request.staging);
}

async function redactStaged(
  { files, limits, plan, output, workers, blockBytes, progress = SILENT }: RedactRequest,
  source: InputSource,
  { staging }: Stage,
): Promise<RedactOutcome> {
  const file = output === undefined ? undefined : await staging.open(output);
  const findings = new FindingList(limits);
  const secrets = new SecretCounter();
  const memory = new BufferPool();
  const onStored = (_input: number, chunk: Uint8Array): void =>
    progress.read(chunk.length, findings.records);
  const read = fileBlocks(files, source, { blockBytes, memory, onStored });
  const { pool, blocks } = await openPool(read, { workers, worthBytes: blockBytes });
  try {
    const { maxErrors } = toPartLimits(limits);
    const check = file === undefined;
    const redacted = mapOrdered(gatherDocuments(blocks, true), pool.concurrency, (item) =>
      pool.run(
        "redactBlock",
        { ...item, plan, check, maxErrors },
        item.block.bytes ? [item.block.bytes.buffer] : [],
      ),
    );
    for await (const { tally, bytes, secrets: found, buffers } of redacted) {
      findings.addTally(tally);
      secrets.add(found);
      if (findings.errors === 0) await file?.write(bytes);
      memory.giveBack(buffers);
    }
  } finally {
    await pool.close();
  }
  findings.addNoRecords(files);
  const written = file !== undefined && findings.errors === 0;
  return { findings, secrets: secrets.counts, written };
}
