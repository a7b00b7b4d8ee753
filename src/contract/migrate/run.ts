import { createReadStream } from "node:fs";
import { displayName, type InputSource } from "../../base/files/source.js";
import type { StagedFile } from "../../base/files/staging.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { blockLines, type SourceLine } from "../../base/jsonl/blocks.js";
import type { FileBlock } from "../../base/jsonl/file-blocks.js";
import { toRecordLine } from "../../base/jsonl/reader.js";
import { type LinesOutcome, type LinesRequest, runLines } from "../../base/run/run-lines.js";
import { UserError } from "../../base/user-error.js";
import { lockOutputs, type OutputChoice } from "./outputs.js";
import type { Upgrader } from "./upgrader.js";

interface MigrateRequest extends LinesRequest {
  readonly upgrader: Upgrader;
  readonly outputs: OutputChoice;
}

export interface MigrateOutcome extends LinesOutcome {
  /** Upgraded records by the major version that they were of. */
  readonly upgraded: ReadonlyMap<number, number>;
  /** Records that were of the target version. */
  readonly current: number;
  /** Records that were left out. */
  readonly leftOut: number;
  /** Files that were written, without those that stay untouched. */
  readonly files: number;
}

/**
 * Upgrades the records of files, in order and atomically: see `runLines`. Only the bytes of upgraded records change; blank
 * lines, line breaks and other records stay. Memory grows with the longest line, not with the files.
 *
 * Throws UserError as `runLines` does, and (exit 3) if a step has no upcaster.
 */
export function migrateFiles(
  { upgrader, outputs, ...request }: MigrateRequest,
  source: InputSource,
): Promise<MigrateOutcome> {
  return runLines(request, source, async (run) => {
    const { findings } = run;
    const paths = await lockOutputs(run, request.files, outputs);
    const sink = new Outputs(paths, outputs, (path) => run.staging.open(path));
    const upgraded = new Map<number, number>();
    let [current, leftOut] = [0, 0];
    /** The new text of a record: undefined if its bytes stay, "" if it is left out. */
    const upgrade = async (file: string, stored: SourceLine): Promise<string | undefined> => {
      const line = toRecordLine(file, stored);
      const outcome = "fault" in line ? unreadable(line.fault) : upgrader.upgrade(line);
      if (outcome.kind === "faulty") {
        findings.addChecked(line, await run.leaveOut(line, outcome.faults, stored));
        leftOut += 1;
        return "";
      }
      findings.addChecked(line, []);
      if (outcome.kind === "current") {
        current += 1;
        return undefined;
      }
      upgraded.set(outcome.from, (upgraded.get(outcome.from) ?? 0) + 1);
      return outcome.text;
    };
    for await (const block of run.blocks()) {
      const spliced = await splice(block, upgrade);
      // Nothing will be committed.
      if (findings.errors === 0) await sink.write(block, spliced);
    }
    if (findings.errors === 0) await sink.finish(request.files.length);
    return { leftOut, result: { upgraded, current, leftOut, files: sink.count } };
  });
}

function unreadable({ id, message, cause }: Pick<RecordFault, "id" | "message" | "cause">): {
  readonly kind: "faulty";
  readonly faults: readonly RecordFault[];
} {
  return { kind: "faulty", faults: [{ id, severity: "error", pointer: "", message, cause }] };
}

/** A block after its records were upgraded. */
interface Spliced {
  readonly bytes: Uint8Array;
  readonly isChanged: boolean;
}

/** Replaces the lines of a block for which `upgrade` returns another text; all other bytes stay. */
async function splice(
  { file, block }: FileBlock,
  upgrade: (file: string, stored: SourceLine) => Promise<string | undefined>,
): Promise<Spliced> {
  const all = block.bytes ?? new Uint8Array();
  const parts: Uint8Array[] = [];
  let done = 0;
  const replace = (start: number, end: number, text: string): void => {
    parts.push(all.subarray(done, start), Buffer.from(text));
    done = end;
  };
  for (const source of blockLines(block)) {
    const start = source.offset - block.offset;
    const text = await upgrade(file, source);
    if (text === undefined) continue;
    // The newline goes with its line.
    if (text === "") replace(start, Math.min(start + source.stored.length + 1, all.length), text);
    else if (source.bytes !== undefined) {
      const begin = start + source.stored.indexOf(source.bytes);
      replace(begin, begin + source.bytes.length, text);
    }
  }
  const isChanged = done > 0 || block.bytes === undefined;
  return { bytes: done === 0 ? all : Buffer.concat([...parts, all.subarray(done)]), isChanged };
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The output files, opened when they are needed. */
class Outputs {
  readonly #paths: readonly string[];
  readonly #choice: OutputChoice;
  readonly #open: (path: string) => Promise<StagedFile>;
  #input = -1;
  #file: StagedFile | undefined;
  #endsLine = true;
  #isEmpty = true;
  count = 0;

  /** `paths` are absolute: that of the only output, or one for each input. */
  constructor(
    paths: readonly string[],
    choice: OutputChoice,
    open: (path: string) => Promise<StagedFile>,
  ) {
    this.#paths = paths;
    this.#choice = choice;
    this.#open = open;
  }

  async write({ input, block }: FileBlock, { bytes, isChanged }: Spliced): Promise<void> {
    await this.#begin(input);
    // A file in which nothing changes stays untouched.
    if (this.#choice.inPlace && this.#file === undefined) {
      if (!isChanged) return;
      const path = this.#paths[input] ?? "";
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
      if (this.#choice.output !== undefined) {
        this.#file ??= await this.#openFile(this.#paths[0] ?? "");
        if (!this.#endsLine) await this.#append(Buffer.of(NEWLINE));
        continue;
      }
      await this.#file?.finish();
      this.#file = undefined;
      this.#isEmpty = true;
      if (this.#choice.inPlace) continue;
      this.#file = await this.#openFile(this.#paths[this.#input + 1] ?? "");
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
