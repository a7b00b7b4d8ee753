import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { TrainerFormat } from "../format.js";
import type { RowReader } from "../row-reader.js";
import { CHAT_STYLE } from "../style.js";
import { fault, type RowSide, type TrainerRow } from "../trainer-row.js";
import { conversationForm } from "./trl-sft.js";

/** After NeMo RL's guides to DPO and SFT. */
export const nemoRl: TrainerFormat = {
  id: "nemo-rl",
  purpose: "NeMo RL: ranked completions of a context, and conversations",
  forms: [
    {
      name: "ranked completions",
      required: { context: "messages", completions: "list" },
      optional: { tools: "tools", task_name: "text" },
      read: readRanked,
    },
    conversationForm({ tools: "tools", task_name: "text" }),
  ],
  style: CHAT_STYLE,
  isClosed: false,
  infersColumns: true,
};

function readRanked(row: JsonObject, reader: RowReader): Omit<TrainerRow, "value"> {
  const completions: readonly unknown[] = Array.isArray(row.completions) ? row.completions : [];
  const add = (pointer: string, message: string): void => {
    reader.faults.push(fault("column-type", "error", pointer, message));
  };
  if (completions.length < 2) add("/completions", "holds fewer than two completions to compare");
  const ranks: unknown[] = [];
  const sides = completions.flatMap((each, index): RowSide[] => {
    const pointer = `/completions/${index}`;
    if (!isJsonObject(each)) {
      add(pointer, 'must be {"rank": ..., "completion": [...]}');
      return [];
    }
    if (!Number.isInteger(each.rank)) add(`${pointer}/rank`, "must be a whole number; 0 is best");
    else if (ranks.includes(each.rank)) {
      add(`${pointer}/rank`, "is the rank of another completion: which is better is unknown");
    }
    ranks.push(each.rank);
    const part = reader.part(`completions/${index}`, each.completion, `${pointer}/completion`);
    return [{ ...part, mayBeEmpty: each.rank !== 0 }];
  });
  const prompt = reader.part("context", row.context);
  return { prompt, sides, tools: reader.tools(row.tools) };
}
