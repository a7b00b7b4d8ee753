import type { TrainerFormat } from "../format.js";
import { CHAT_STYLE } from "../style.js";
import { readPair, TRL_COLUMNS } from "./trl.js";

export const trlKto: TrainerFormat = {
  id: "trl-kto",
  purpose: "TRL: answers labelled good or bad, for KTOTrainer",
  forms: [
    {
      name: "labelled answer",
      required: { prompt: "conversation", completion: "conversation", label: "boolean" },
      optional: TRL_COLUMNS,
      read: (row, reader) => ({
        prompt: reader.part("prompt", row.prompt),
        sides: [{ ...reader.part("completion", row.completion), mayBeEmpty: row.label === false }],
        tools: reader.tools(row.tools),
      }),
    },
    {
      // KTOTrainer takes pairs apart.
      name: "preference pair",
      required: { prompt: "conversation", chosen: "conversation", rejected: "conversation" },
      optional: TRL_COLUMNS,
      // Without --target, it is a row for DPOTrainer.
      recognise: () => false,
      read: readPair,
    },
  ],
  style: CHAT_STYLE,
  isClosed: false,
  infersColumns: true,
};
