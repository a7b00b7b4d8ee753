import type { TrainerFormat } from "../format.js";
import { CHAT_STYLE } from "../style.js";
import type { RowSide } from "../trainer-row.js";
import { conversationForm, TOKENISED } from "./trl-sft.js";

const COLUMNS = { tools: "tools", system: "text", images: "list" } as const;

/** The type `chat_template` of Axolotl, with the masks that `message_field_training` names in its documentation. */
export const axolotl: TrainerFormat = {
  id: "axolotl",
  purpose: "Axolotl: conversations and pairs of the type chat_template",
  forms: [
    {
      name: "preference pair",
      required: { messages: "messages", chosen: "object", rejected: "object" },
      optional: COLUMNS,
      read(row, reader) {
        const side = (name: string, mayBeEmpty: boolean): RowSide => {
          const message = reader.message(row[name], `/${name}`);
          const messages = message === undefined ? [] : [message];
          return { name, pointer: `/${name}`, messages, text: "", mayBeEmpty };
        };
        return {
          prompt: reader.part("messages", row.messages),
          sides: [side("chosen", false), side("rejected", true)],
          tools: reader.tools(row.tools),
        };
      },
    },
    conversationForm(COLUMNS),
    conversationForm(COLUMNS, "conversations"),
    TOKENISED,
  ],
  style: {
    ...CHAT_STYLE,
    keys: [
      ["role", "content"],
      ["from", "value"],
    ],
    roles: { ...CHAT_STYLE.roles, human: "user", gpt: "assistant", model: "assistant" },
    nulls: "removed",
    masks: { train: [true, false], training: [true, false] },
  },
  isClosed: false,
  infersColumns: true,
};
