import type { JsonObject } from "../../../../base/json/value.js";
import type { RowForm, TrainerFormat } from "../format.js";
import { CHAT_STYLE } from "../style.js";
import { TRL_COLUMNS } from "./trl.js";

/** A whole conversation in the column `messages`, whose assistant turns are learned. */
export function conversationForm(optional: RowForm["optional"], column = "messages"): RowForm {
  return {
    name: "conversation",
    required: { [column]: "messages" },
    optional,
    read: (row, reader) => ({
      sides: [{ ...reader.part(column, row[column]), isWhole: true }],
      tools: reader.tools(row.tools),
    }),
  };
}

/** Rows that are tokenised already. */
export const TOKENISED: RowForm = {
  name: "tokenised row",
  required: { input_ids: "list" },
  optional: {
    attention_mask: "list",
    labels: "list",
    completion_mask: "list",
    assistant_masks: "list",
  },
  read: () => ({ sides: [] }),
};

export const trlSft: TrainerFormat = {
  id: "trl-sft",
  purpose: "TRL: conversations or completions to imitate, for SFTTrainer",
  forms: [
    {
      name: "completion",
      required: { prompt: "conversation", completion: "conversation" },
      optional: TRL_COLUMNS,
      recognise: (row) => !("label" in row) && !("reward" in row) && isList(row.completion),
      read: (row, reader) => ({
        prompt: reader.part("prompt", row.prompt),
        sides: [reader.part("completion", row.completion)],
        tools: reader.tools(row.tools),
      }),
    },
    conversationForm(TRL_COLUMNS),
    TOKENISED,
    {
      name: "text",
      required: { text: "text" },
      optional: {},
      recognise: () => false,
      read: (row, reader) => ({ sides: [reader.part("text", row.text)] }),
    },
  ],
  style: CHAT_STYLE,
  isClosed: false,
  infersColumns: true,
};

function isList(value: JsonObject[string]): boolean {
  return Array.isArray(value);
}
