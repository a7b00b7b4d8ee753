import { dirname, join } from "node:path";
import type { ExportSettings, ReportedOutput } from "#generated/index.js";
import { COMPRESSIONS, type CompressionId } from "../../../base/files/compressor.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import { OUTPUT_KINDS, type OutputKind } from "../../wire/export/targets/target.js";
import type { RecordEncoding } from "../encoders.js";
import type { OutputPlan } from "../record-output.js";

/** How the records of a dataset folder are stored. */
export interface Storage {
  readonly format: RecordFormat;
  /** How files of JSONL are compressed. Undefined: not at all. */
  readonly compression?: CompressionId | undefined;
  /** Most bytes of records in a file, as JSONL. Undefined: all records of a kind are in one file. */
  readonly shardBytes?: number | undefined;
}

export const RECORD_FORMATS = ["jsonl", "parquet"] as const;

export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** Records as they are without options. */
export const PLAIN: Storage = { format: "jsonl" };

/** How the records of an export with these settings are stored. */
export function toStorage({
  format = PLAIN.format,
  compression,
  shard_bytes,
}: ExportSettings): Storage {
  return { format, compression, shardBytes: shard_bytes };
}

/** A file of records in a dataset folder, as the `datasets` package names shards: the one at `index` of `count`. */
export function shardName(
  kind: OutputKind,
  storage: Storage = PLAIN,
  index = 0,
  count = 1,
): string {
  const pad = (value: number): string => String(value).padStart(5, "0");
  return `${kind}/train-${pad(index)}-of-${pad(count)}.${endingOf(storage)}`;
}

function endingOf({ format, compression }: Storage): string {
  return compression === undefined ? format : `${format}.${COMPRESSIONS[compression]}`;
}

const ENDINGS = [
  ...RECORD_FORMATS,
  ...Object.values(COMPRESSIONS).map((ending) => `jsonl.${ending}`),
];

const SHARD_NAME = new RegExp(
  `^(${OUTPUT_KINDS.join("|")})/train-\\d{5,}-of-\\d{5,}\\.(${ENDINGS.join("|")})$`,
);

/** Whether some export may give a file of a dataset folder this name. */
export function isShardName(name: string): boolean {
  return SHARD_NAME.test(name);
}

/** Whether an export of `kinds` may write a file of this name. How many files it writes is known only at its end. */
export function mayBeShard(name: string, kinds: readonly OutputKind[], storage: Storage): boolean {
  if (storage.shardBytes === undefined)
    return kinds.some((kind) => shardName(kind, storage) === name);
  const [, kind, ending] = SHARD_NAME.exec(name) ?? [];
  return ending === endingOf(storage) && kinds.some((each) => each === kind);
}

/** Plans the files of one kind in a dataset folder. `path` is that of a single one. */
export function toOutputPlan(
  { kind, path }: { readonly kind: OutputKind; readonly path: string },
  target: TargetId,
  storage: Storage,
): OutputPlan {
  const folder = dirname(dirname(path));
  return {
    path,
    encoding: toEncoding(kind, target, storage),
    split:
      storage.shardBytes === undefined
        ? undefined
        : {
            bytes: storage.shardBytes,
            toPath: (index, count) => join(folder, shardName(kind, storage, index, count)),
          },
  };
}

function toEncoding(
  kind: OutputKind,
  target: TargetId,
  { format, compression }: Storage,
): RecordEncoding | undefined {
  if (format === "jsonl") return compression && { id: compression };
  return { id: "parquet", features: targets[target].features[kind] ?? {} };
}

/** The files of one kind in a dataset folder. */
interface OutputGroup {
  readonly kind: OutputKind;
  readonly records: number;
  /** The file, or the folder of several. */
  readonly place: string;
  /** The file, or a glob pattern of several that no file of another export matches. */
  readonly pattern: string;
}

/** Joins the files of each kind, in order. */
export function groupOutputs(outputs: readonly ReportedOutput[]): OutputGroup[] {
  const groups = new Map<OutputKind, ReportedOutput[]>();
  for (const output of outputs) {
    groups.set(output.kind, [...(groups.get(output.kind) ?? []), output]);
  }
  return [...groups].map(([kind, files]) => {
    const records = files.reduce((sum, file) => sum + file.records, 0);
    const [{ file: first } = { file: "" }] = files;
    if (files.length === 1) return { kind, records, place: first, pattern: first };
    return { kind, records, place: kind, pattern: first.replace(/-\d+-of-/, "-*-of-") };
  });
}
