import { isJsonObject } from "../../../../base/json/value.js";
import type { TrainerFormat } from "../format.js";
import { CHAT_STYLE } from "../style.js";
import { fault } from "../trainer-row.js";
import { conversationForm } from "./trl-sft.js";

/** After verl's guide to preparing data, and its multi-turn SFT dataset. */
export const verl: TrainerFormat = {
  id: "verl",
  purpose: "verl: prompts with a rule for the reward, and conversations",
  forms: [
    {
      name: "prompt with a reward rule",
      required: { data_source: "text", prompt: "messages", reward_model: "object" },
      optional: {
        ability: "text",
        extra_info: "object",
        agent_name: "text",
        images: "list",
        videos: "list",
      },
      recognise: (row) => "data_source" in row && "reward_model" in row,
      read(row, reader) {
        const { ground_truth: truth } = isJsonObject(row.reward_model) ? row.reward_model : {};
        if (truth == null) {
          const message = "the reward is computed from ground_truth, which is missing";
          reader.faults.push(fault("missing-column", "error", "/reward_model", message));
        }
        return { prompt: reader.part("prompt", row.prompt), sides: [] };
      },
    },
    conversationForm({
      tools: "tools",
      enable_thinking: "boolean",
      images: "list",
      videos: "list",
    }),
  ],
  style: CHAT_STYLE,
  isClosed: false,
  infersColumns: false,
};
