import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { TrainerFormat } from "../format.js";
import type { RowReader } from "../row-reader.js";
import { CHAT_STYLE } from "../style.js";
import { fault, type TrainerRow } from "../trainer-row.js";
import { conversationForm } from "./trl-sft.js";

const LABELS = ["A", "B", "Tie"];

export const tinker: TrainerFormat = {
  id: "tinker",
  purpose: "Tinker Cookbook: labelled comparisons, and conversations",
  forms: [
    {
      name: "labelled comparison",
      required: { comparison: "object", label: "text" },
      optional: { tools: "tools" },
      read: readComparison,
    },
    conversationForm({ tools: "tools" }),
  ],
  style: { ...CHAT_STYLE, args: "text", masks: { trainable: [true, false] } },
  isClosed: false,
  infersColumns: true,
};

function readComparison(row: JsonObject, reader: RowReader): Omit<TrainerRow, "value"> {
  const comparison = isJsonObject(row.comparison) ? row.comparison : {};
  if (!LABELS.includes(String(row.label))) {
    reader.faults.push(fault("column-type", "error", "/label", 'must be "A", "B" or "Tie"'));
  }
  const read = (name: string) => reader.part(name, comparison[name], `/comparison/${name}`);
  return {
    prompt: read("prompt_conversation"),
    sides: ["A", "B"].map((side) => ({
      ...read(`completion_${side}`),
      mayBeEmpty: row.label !== side,
    })),
    tools: reader.tools(row.tools),
  };
}
