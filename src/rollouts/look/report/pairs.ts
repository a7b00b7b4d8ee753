import { join } from "node:path";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import type { InputSource } from "../../../base/files/source.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { readRecords } from "../../../base/jsonl/read-records.js";
import { escapeControls, formatCount, previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import type { PackedPair } from "./report-data.js";

interface PairPlace extends Omit<PackedPair, "text"> {
  readonly offset: number;
  readonly length: number;
}

/** The lines of exported files by their rollouts. They are kept on disk. */
export class ExportedPairs {
  readonly #texts: ScratchFile;
  readonly #places = new Map<string, PairPlace[]>();
  /** Ids that nobody asked for. */
  readonly #missed = new Set<string>();

  /** Throws UserError (exit 3) if the file for the texts cannot be created in `folder`. */
  constructor(folder: string) {
    this.#texts = new ScratchFile(join(folder, "pairs"));
  }

  /** Throws UserError: exit 1 for a line that is no pair or names no rollout, exit 3 if the file cannot be read. */
  async read(file: string, source: InputSource): Promise<void> {
    for await (const lines of readRecords(file, source)) {
      for (const line of lines) {
        if ("fault" in line) throw refuse(line, `is ${line.fault.message}`);
        const id = findRolloutId(line.value);
        if (!("chosen" in line.value && "rejected" in line.value)) {
          throw refuse(line, "is no pair of chosen and rejected");
        }
        if (id === undefined) {
          throw refuse(line, "names no rollout (rollout_id); trl and training write it");
        }
        const bytes = Buffer.from(line.text);
        const place = { file: line.file, line: line.line, offset: this.#texts.length };
        this.#texts.write(bytes);
        const places = this.#places.get(id) ?? [];
        places.push({ ...place, length: bytes.length });
        this.#places.set(id, places);
        this.#missed.add(id);
      }
    }
  }

  /** The lines of a rollout, which then count as found. */
  of(rollout: string): PackedPair[] {
    this.#missed.delete(rollout);
    return (this.#places.get(rollout) ?? []).map(({ file, line, offset, length }) => {
      const bytes = Buffer.alloc(length);
      this.#texts.readAt(offset, bytes);
      return { file, line, text: bytes.toString("utf8") };
    });
  }

  /** A line for people about the lines whose rollouts were not asked for; empty if there are none. */
  describeMissed(): string {
    if (this.#missed.size === 0) return "";
    const ids = [...this.#missed];
    const lines = ids.reduce((sum, id) => sum + (this.#places.get(id)?.length ?? 0), 0);
    const [first = ""] = ids;
    return `--pairs: ${formatCount(lines, "line is", "lines are")} of rollouts that are not in the input, such as ${previewValue(first)}`;
  }

  close(): void {
    this.#texts.close();
  }
}

/** Targets write the id into the record itself, or into one of these. */
const HOLDERS = ["provenance", "metadata"];

function findRolloutId(record: JsonObject): string | undefined {
  const candidates = [record, ...HOLDERS.map((name) => record[name])];
  for (const candidate of candidates) {
    if (isJsonObject(candidate) && typeof candidate.rollout_id === "string") {
      return candidate.rollout_id;
    }
  }
  return undefined;
}

function refuse({ file, line }: Omit<PackedPair, "text">, what: string): UserError {
  const reason = `--pairs takes files that export wrote: this line ${what}`;
  return new UserError(`${escapeControls(file)}:${line}: ${reason}`, EXIT.findings);
}
