import type { InputSource } from "../../../base/files/source.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { indexItems, openEvalIndex } from "../../wire/decontamination/eval-index.js";
import { type EvalFile, readEvalFile } from "../decontamination/eval-items.js";
import { type EvalSet, readEvalSet } from "../decontamination/index-file.js";
import type { ChosenShard } from "../partition/manifest.js";
import type { Gate } from "../receiver.js";

/** An evaluation set that no task may overlap. */
export interface GateRequest {
  /** Its file: items, or the index of some. */
  readonly set:
    | {
        readonly items: string;
        /** Field of the items that contains their text. Undefined: the default fields. */
        readonly field?: string | undefined;
        /** Tokens per n-gram. Undefined: the default. */
        readonly n?: number | undefined;
      }
    | { readonly index: string };
  /** Share of the tasks above which an n-gram is boilerplate, 0 to 1. Undefined: the default. */
  readonly boilerplateShare?: number;
  /** Minimum overlap ratio, 0 to 1. Undefined: the default. */
  readonly minOverlap?: number;
  /** Leave out rollouts that overlap it, with a warning each, instead of writing nothing. Default false. */
  readonly drop?: boolean;
}

/** An evaluation set as it is compared with tasks. */
export interface Evaluation extends Gate {
  /** The file that its items were read from. */
  readonly file: EvalFile;
}

/**
 * Reads and indexes an evaluation set, or loads its index. `shard` is the one that is exported. Throws UserError as
 * `readEvalFile`, `indexItems`, `readEvalSet` and `openEvalIndex` do.
 */
export async function openEvaluation(
  { set, drop = false, ...options }: GateRequest,
  shard: ChosenShard | undefined,
  source: InputSource,
): Promise<Evaluation> {
  const found = await readSet(set, source);
  if (shard !== undefined) requireAdditive(found, shard, options.boilerplateShare);
  return { index: openEvalIndex(found.indexed, options), file: found.file, drop };
}

async function readSet(set: GateRequest["set"], source: InputSource): Promise<EvalSet> {
  if ("index" in set) return readEvalSet(set.index, source);
  const { items, file } = await readEvalFile(set.items, set, source);
  return { indexed: indexItems(items, set.n), file };
}

/**
 * Throws UserError (exit 2) if shards, compared with this set one by one, would not give what one export gives: which
 * text is boilerplate is known only from the tasks of all shards.
 */
function requireAdditive(
  { indexed, partition }: EvalSet,
  shard: ChosenShard,
  boilerplateShare?: number,
): void {
  if (boilerplateShare === 1) return;
  const create = "shard index --input FOLDER, the folder of the shards";
  if (indexed.counts === undefined) {
    throw new UserError(
      `--shard requires --eval-index FILE, created with ${create}: template text is known only from the tasks of all shards; or --boilerplate-share 1, so that none is`,
      EXIT.usage,
    );
  }
  if (partition !== shard.partition) {
    throw new UserError(
      `--eval-index: it has counted the tasks of other rollouts than those of this partition: create it with ${create}`,
      EXIT.usage,
    );
  }
}
