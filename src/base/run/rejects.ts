import { isUtf8 } from "node:buffer";
import type { ScratchFile } from "../files/scratch-file.js";
import type { StagedFile } from "../files/staging.js";
import type { RecordFault } from "../findings/finding.js";
import type { SourceLine } from "../jsonl/blocks.js";
import { catchStringLimit } from "../jsonl/printer.js";
import { UserError } from "../user-error.js";

/** A fault, with its position if it is in another line of the rollout. */
export interface RejectFault extends Pick<RecordFault, "id" | "pointer" | "message"> {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Maximum number of findings in a line of a rejects file. A rollout of n lines can have n faults: listing all of
 * them in every line would make the file grow quadratically.
 */
export const MAX_REJECT_FINDINGS = 20;

/**
 * Builds a line of a rejects file, without its newline. It contains the position of the rejected line, its
 * first faults, and all of its bytes except the newline: as `text`, or in `base64` if they are not UTF-8.
 * Undefined if the result would be too long to be a string; such a line cannot be kept. `total`: the number of
 * faults, listed or not.
 */
export function toReject(
  place: { readonly file: string; readonly line: number },
  faults: readonly RejectFault[],
  stored: Uint8Array,
  total = faults.length,
): string | undefined {
  const { file, line } = place;
  const findings = faults.slice(0, MAX_REJECT_FINDINGS).map(({ id, pointer, message, ...at }) => {
    const elsewhere = at.file === undefined ? {} : { file: at.file, line: at.line };
    return { id, ...elsewhere, pointer, message };
  });
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  return catchStringLimit(() => {
    const content = isUtf8(bytes)
      ? { text: bytes.toString("utf8") }
      : { base64: bytes.toString("base64") };
    const more = total - findings.length;
    const rest = more > 0 ? { findings_not_listed: more } : {};
    return JSON.stringify({ file, line, findings, ...rest, ...content });
  });
}

/** The same as `toReject`, but throws UserError (exit 3) if the line cannot be kept. */
export function requireReject(...[place, ...rest]: Parameters<typeof toReject>): string {
  const reject = toReject(place, ...rest);
  if (reject !== undefined) return reject;
  throw new UserError(`${place.file}:${place.line}: too long for the rejects file`);
}

/**
 * The reject of a line that is to be left out; "" if rejects are not kept (`rejects` is false or undefined). Undefined if the
 * line cannot be kept, so that it must not be left out.
 */
export function tryReject(
  place: { readonly file: string; readonly line: number },
  faults: readonly RejectFault[],
  { bytes, stored }: Pick<SourceLine, "bytes" | "stored">,
  rejects: unknown,
): string | undefined {
  if (bytes === undefined) return undefined;
  return rejects ? toReject(place, faults, stored) : "";
}

/** Turns a fault of an omitted line into a warning. */
export function toWarning<Fault extends RecordFault>(fault: Fault): Fault {
  return { ...fault, severity: "warning" };
}

/** The file for lines that are left out. */
export class Rejects {
  readonly #file: StagedFile;
  readonly #held: ScratchFile;
  readonly #redact: (lines: Uint8Array) => Uint8Array;

  /** `redact` takes whole lines; without it, secrets stay. */
  constructor(
    file: StagedFile,
    held: ScratchFile,
    redact: (lines: Uint8Array) => Uint8Array = (lines) => lines,
  ) {
    this.#file = file;
    this.#held = held;
    this.#redact = redact;
  }

  /** Writes a reject, or whole lines. Throws UserError (exit 3) if the file cannot be written. */
  async write(rejects: string | Uint8Array): Promise<void> {
    await this.#file.write(this.#redact(toLines(rejects)));
  }

  /** Keeps them until `release`. Throws as `write` does. */
  hold(rejects: string | Uint8Array): void {
    this.#held.write(this.#redact(toLines(rejects)));
  }

  /** The same file for lines that are changed before. `change` takes whole lines. */
  after(change: (lines: Uint8Array) => Uint8Array): Rejects {
    return new Rejects(this.#file, this.#held, (lines) => this.#redact(change(lines)));
  }

  /** Forgets what is held. */
  forget(): void {
    this.#held.clear();
  }

  /** Writes what is held. Throws as `write` does. */
  async release(): Promise<void> {
    for (const chunk of this.#held.read()) await this.#file.write(chunk);
  }
}

function toLines(rejects: string | Uint8Array): Uint8Array {
  return typeof rejects === "string" ? Buffer.from(`${rejects}\n`) : rejects;
}
