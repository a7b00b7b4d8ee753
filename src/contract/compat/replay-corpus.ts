import { type InputSource, processSource } from "../../base/files/source.js";
import { inferEntryType } from "../../base/json/entry-type.js";
import type { JsonObject } from "../../base/json/value.js";
import { readRecords } from "../../base/jsonl/read-records.js";
import type { AjvValidator } from "./ajv/ajv.js";
import { requireValidator } from "./ajv/ajv.js";
import { pairEntryPoints } from "./entry-points.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema/schema-set.js";

/** A record that one version accepts and the other rejects. */
export interface BrokenRecord {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Its type; "" if the schema itself is one type. */
  readonly type: string;
  /** The first error of the version that rejects it, at the innermost place. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** The records that the writer's version accepts. */
export interface DirectionReplay {
  readonly accepted: number;
  /** How many of them the reader's version rejects. */
  readonly broken: number;
  /** The same by type. */
  readonly brokenByType: Readonly<Record<string, number>>;
  readonly first: BrokenRecord | undefined;
}

export interface CorpusReplay extends Readonly<Record<Direction, DirectionReplay>> {
  readonly records: number;
  /** Records that both versions reject. */
  readonly rejected: number;
  /** Lines that are not JSON objects. */
  readonly unreadable: number;
}

export interface Versions {
  readonly old: SchemaLocation;
  readonly new: SchemaLocation;
}

/**
 * Validates every record of some JSONL files against two versions of a schema. The type of a record is inferred from
 * its fields, or else is the first type that accepts it. Throws UserError (exit 3) if a file cannot be read.
 */
export async function replayCorpus(
  versions: Versions,
  files: readonly string[],
  source: InputSource = processSource,
): Promise<CorpusReplay> {
  const replay = new Replay(versions);
  for await (const batch of readRecords(files, source)) {
    for (const line of batch) {
      if ("fault" in line) replay.unreadable += 1;
      else replay.add(line);
    }
  }
  return replay;
}

interface Located {
  readonly file: string;
  readonly line: number;
  readonly value: JsonObject;
  readonly text: string;
}

type Validators = Readonly<Record<Direction, AjvValidator | undefined>>;

class Replay implements CorpusReplay {
  records = 0;
  rejected = 0;
  unreadable = 0;
  readonly backward = new DirectionCount();
  readonly forward = new DirectionCount();
  /** By type, the validator of the version that writes in each direction; undefined if it lacks the type. */
  readonly #writers: ReadonlyMap<string, Validators>;
  readonly #whole: Validators;

  constructor(versions: Versions) {
    const validator = (location: SchemaLocation | undefined) =>
      location && requireValidator(location);
    const pairs = pairEntryPoints(versions.old, versions.new);
    this.#writers = new Map(
      pairs.map((pair) => [
        pair.name,
        { backward: validator(pair.old), forward: validator(pair.new) },
      ]),
    );
    this.#whole = {
      backward: requireValidator(versions.old),
      forward: requireValidator(versions.new),
    };
  }

  add({ file, line, value, text }: Located): void {
    this.records += 1;
    const type = this.#typeOf(value, text);
    const writers = this.#writers.get(type) ?? this.#whole;
    const verdicts = DIRECTIONS.map(
      (direction) => writers[direction]?.isValid(value, text) === true,
    );
    if (!verdicts.includes(true)) this.rejected += 1;
    for (const [index, direction] of DIRECTIONS.entries()) {
      if (verdicts[index] !== true) continue;
      this[direction].accepted += 1;
      // A record of a type that a version lacks may still be valid there as another type.
      const other = direction === "backward" ? "forward" : "backward";
      const reader = writers[other] ?? this.#whole[other];
      if (reader?.isValid(value, text) !== false) continue;
      this[direction].add({ file, line, type, value, text }, reader.errorsOf(value));
    }
  }

  #typeOf(value: JsonObject, text: string): string {
    const inferred = inferEntryType(value);
    if (inferred !== undefined && this.#writers.has(inferred)) return inferred;
    for (const [name, writers] of this.#writers) {
      if (DIRECTIONS.some((direction) => writers[direction]?.isValid(value, text) === true))
        return name;
    }
    return "";
  }
}

class DirectionCount implements DirectionReplay {
  accepted = 0;
  broken = 0;
  /** Without prototype, because a type may have any name. */
  readonly brokenByType: Record<string, number> = Object.create(null);
  first: BrokenRecord | undefined;

  add(
    { value, text: _, ...record }: Located & Pick<BrokenRecord, "type">,
    errors: ReturnType<AjvValidator["errorsOf"]>,
  ): void {
    this.broken += 1;
    this.brokenByType[record.type] = (this.brokenByType[record.type] ?? 0) + 1;
    const [error] = errors;
    if (this.first !== undefined || error === undefined) return;
    const { pointer, keyword, message } = error;
    this.first = { ...record, pointer, keyword, message };
  }
}
