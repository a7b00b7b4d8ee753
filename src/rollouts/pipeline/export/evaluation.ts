import type { InputSource } from "../../../base/files/source.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { indexItems } from "../../wire/decontamination/eval-index.js";
import { readEvalFile } from "../decontamination/eval-items.js";
import { type EvalSet, readEvalSet } from "../decontamination/index-file.js";
import type { ChosenShard } from "../partition/manifest.js";
import type { ExportRequest } from "./request.js";

/**
 * Reads and indexes the evaluation set of an export, or loads its index; undefined if there is none. Throws UserError as
 * `readEvalFile`, `indexItems` and `readEvalSet` do.
 */
export async function readEvaluation(
  {
    evalItems,
    evalField,
    evalIndex,
    n,
  }: Pick<ExportRequest, "evalItems" | "evalField" | "evalIndex" | "n">,
  source: InputSource,
): Promise<EvalSet | undefined> {
  if (evalIndex !== undefined) return readEvalSet(evalIndex, source);
  if (evalItems === undefined) return undefined;
  const { items, file } = await readEvalFile(evalItems, { field: evalField }, source);
  return { indexed: indexItems(items, n), file };
}

/**
 * Throws UserError (exit 2) if shards, compared with this set one by one, would not give what one export gives: which
 * text is boilerplate is known only from the tasks of all shards.
 */
export function requireAdditive(
  { indexed, partition }: EvalSet,
  shard: ChosenShard,
  boilerplateShare?: number,
): void {
  if (boilerplateShare === 1) return;
  const create = "rollout-wire shard index --input FOLDER, the folder of the shards";
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
