import { createReadStream } from "node:fs";
import { displayName, type InputSource } from "../../base/files/source.js";
import type { StagedFile } from "../../base/files/staging.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { blockLines, type SourceLine } from "../../base/jsonl/blocks.js";
import { type FileBlock, fileBlocks } from "../../base/jsonl/file-blocks.js";
import { type RecordLine, toRecordLine } from "../../base/jsonl/reader.js";
import { toReject, toWarning } from "../../base/run/rejects.js";
import { runStaged, SILENT, type Stage, type StagedRequest } from "../../base/run/staged-run.js";
import { UserError } from "../../base/user-error.js";
import type { Upgrader } from "./upgrader.js";

/** Where the records go, as absolute paths: into one file, or into a file for each input. */
export type MigrateOutputs =
  | { readonly file: string }
  | {
      /** In the order of the inputs. */
      readonly files: readonly string[];
      /** Whether they are the inputs themselves. A file in which nothing changes then stays untouched. */
      readonly inPlace: boolean;
    };

export interface MigrateRequest extends StagedRequest {
  readonly upgrader: Upgrader;
  readonly outputs: MigrateOutputs;
}

export interface MigrateOutcome {
  readonly findings: FindingList;
  /** Upgraded records by the major version that they were of. */
  readonly upgraded: ReadonlyMap<number, number>;
  /** Records that were of the target version. */
  readonly current: number;
  /** Records that were left out. */
  readonly leftOut: number;
  /** Files that were written, without those that stay untouched. */
  readonly files: number;
  /** Whether the outputs were committed. False if there were errors. */
  readonly written: boolean;
}

/**
 * Upgrades the records of files, in order and atomically: see `runStaged`. Only the bytes of upgraded records change; blank
 * lines, line breaks and other records stay. Memory grows with the longest line, not with the files.
 *
 * Throws UserError (exit 3) if a file cannot be read or written, or if a step has no upcaster.
 */
export function migrateFiles(
  request: MigrateRequest,
  source: InputSource,
): Promise<MigrateOutcome> {
  return runStaged((stage) => migrateStaged(request, source, stage), request.staging);
}

async function migrateStaged(
  request: MigrateRequest,
  source: InputSource,
  { staging }: Stage,
): Promise<MigrateOutcome> {
  const { files, limits, outputs, progress = SILENT } = request;
  const findings = new FindingList(limits);
  const rejects = request.rejects === undefined ? undefined : await staging.open(request.rejects);
  const run = new MigrateRun(request, findings, rejects);
  const sink = new Outputs(outputs, (path) => staging.open(path));
  const onStored = (_input: number, chunk: Uint8Array): void =>
    progress.read(chunk.length, findings.records);
  for await (const block of fileBlocks(files, source, { onStored })) {
    const spliced = await run.take(block);
    // Nothing will be committed.
    if (findings.errors === 0) await sink.write(block, spliced);
  }
  if (findings.errors === 0) findings.addNoRecords(files, run.leftOut);
  const written = findings.errors === 0;
  if (written) await sink.finish(files.length);
  const { upgraded, current, leftOut } = run;
  return { findings, upgraded, current, leftOut, files: sink.count, written };
}

/** A block after its records were upgraded. */
interface Spliced {
  readonly bytes: Uint8Array;
  readonly isChanged: boolean;
}

/** Upgrades the records of blocks, and counts them. */
class MigrateRun {
  readonly upgraded = new Map<number, number>();
  current = 0;
  leftOut = 0;
  readonly #request: MigrateRequest;
  readonly #findings: FindingList;
  readonly #rejects: StagedFile | undefined;

  constructor(request: MigrateRequest, findings: FindingList, rejects: StagedFile | undefined) {
    this.#request = request;
    this.#findings = findings;
    this.#rejects = rejects;
  }

  async take({ file, block }: FileBlock): Promise<Spliced> {
    const all = block.bytes ?? new Uint8Array();
    const parts: Uint8Array[] = [];
    let done = 0;
    const replace = (start: number, end: number, text?: string): void => {
      parts.push(all.subarray(done, start), ...(text === undefined ? [] : [Buffer.from(text)]));
      done = end;
    };
    for (const source of blockLines(block)) {
      const line = toRecordLine(file, source);
      const start = source.offset - block.offset;
      const text = await this.#upgrade(line, source);
      if (text === undefined) continue;
      // The newline goes with its line.
      if (text === "") replace(start, Math.min(start + source.stored.length + 1, all.length));
      else if (source.bytes !== undefined) {
        const begin = start + source.stored.indexOf(source.bytes);
        replace(begin, begin + source.bytes.length, text);
      }
    }
    const isChanged = done > 0 || block.bytes === undefined;
    return { bytes: done === 0 ? all : Buffer.concat([...parts, all.subarray(done)]), isChanged };
  }

  /** The new text of a record: undefined if its bytes stay, "" if it is left out. */
  async #upgrade(line: RecordLine, source: SourceLine): Promise<string | undefined> {
    if ("fault" in line) {
      const { id, message, cause } = line.fault;
      const fault: RecordFault = { id, severity: "error", pointer: "", message, cause };
      return await this.#leaveOut(line, source, [fault]);
    }
    const outcome = this.#request.upgrader.upgrade(line);
    if (outcome.kind === "faulty") return await this.#leaveOut(line, source, outcome.faults);
    this.#findings.addChecked(line, []);
    if (outcome.kind === "current") {
      this.current += 1;
      return undefined;
    }
    this.upgraded.set(outcome.from, (this.upgraded.get(outcome.from) ?? 0) + 1);
    return outcome.text;
  }

  async #leaveOut(
    line: RecordLine,
    { bytes, stored }: SourceLine,
    faults: readonly RecordFault[],
  ): Promise<string> {
    const wants = this.#rejects !== undefined && bytes !== undefined;
    const reject = wants ? toReject(line, faults, stored) : undefined;
    // A record that cannot be stored among the rejects is an error: no record is omitted silently.
    const isKept = this.#rejects === undefined ? bytes !== undefined : reject !== undefined;
    const isLeftOut = this.#request.skipInvalid && isKept;
    this.#findings.addChecked(line, isLeftOut ? faults.map(toWarning) : faults);
    this.leftOut += 1;
    if (isLeftOut && reject !== undefined) await this.#rejects?.write(`${reject}\n`);
    return "";
  }
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The output files, opened when they are needed. */
class Outputs {
  readonly #outputs: MigrateOutputs;
  readonly #open: (path: string) => Promise<StagedFile>;
  #input = -1;
  #file: StagedFile | undefined;
  #endsLine = true;
  #isEmpty = true;
  count = 0;

  constructor(outputs: MigrateOutputs, open: (path: string) => Promise<StagedFile>) {
    this.#outputs = outputs;
    this.#open = open;
  }

  async write({ input, block }: FileBlock, { bytes, isChanged }: Spliced): Promise<void> {
    await this.#begin(input);
    if ("files" in this.#outputs && this.#outputs.inPlace && this.#file === undefined) {
      if (!isChanged) return;
      const path = this.#outputs.files[input] ?? "";
      this.#file = await this.#openFile(path);
      await copyBeginning(path, block.offset, this.#file);
    }
    const isMarked = block.offset === 0 && BYTE_ORDER_MARK.equals(bytes.subarray(0, 3));
    await this.#append(isMarked && !this.#isEmpty ? bytes.subarray(3) : bytes);
  }

  /** Creates the files of inputs without a single block, which are empty. */
  async finish(inputs: number): Promise<void> {
    await this.#begin(inputs - 1);
  }

  /** Opens the files up to that of an input. */
  async #begin(input: number): Promise<void> {
    for (; this.#input < input; this.#input += 1) {
      if ("file" in this.#outputs) {
        this.#file ??= await this.#openFile(this.#outputs.file);
        if (!this.#endsLine) await this.#append(Buffer.of(NEWLINE));
        continue;
      }
      await this.#file?.finish();
      this.#file = undefined;
      this.#isEmpty = true;
      const { files, inPlace } = this.#outputs;
      if (!inPlace) this.#file = await this.#openFile(files[this.#input + 1] ?? "");
    }
  }

  async #openFile(path: string): Promise<StagedFile> {
    this.count += 1;
    return await this.#open(path);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#isEmpty = false;
    this.#endsLine = bytes.at(-1) === NEWLINE;
    await this.#file?.write(bytes);
  }
}

/** Copies the first bytes of a file, which were read before. */
async function copyBeginning(path: string, length: number, to: StagedFile): Promise<void> {
  if (length === 0) return;
  let copied = 0;
  for await (const chunk of createReadStream(path, { end: length - 1 })) {
    copied += chunk.length;
    await to.write(chunk);
  }
  if (copied < length) throw new UserError(`${displayName(path)}: has changed while it was read`);
}
