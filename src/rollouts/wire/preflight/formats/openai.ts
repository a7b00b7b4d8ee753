import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import type { TrainerFormat } from "../format.js";
import type { RowReader } from "../row-reader.js";
import { CHAT_STYLE } from "../style.js";
import { fault, type RowSide, type TrainerRow } from "../trainer-row.js";
import { conversationForm } from "./trl-sft.js";

const MESSAGE_FIELDS = [
  ...["role", "content", "name", "weight", "refusal", "audio"],
  ...["tool_calls", "tool_call_id", "function_call"],
];

const OUTPUTS = ["preferred_output", "non_preferred_output"] as const;

/** After OpenAI's guides to supervised and to preference fine-tuning. */
export const openai: TrainerFormat = {
  id: "openai",
  purpose: "OpenAI: conversations and preferences for its fine-tuning API",
  forms: [
    {
      name: "preference pair",
      required: { input: "object", preferred_output: "messages", non_preferred_output: "messages" },
      optional: {},
      read: readPreference,
    },
    conversationForm({ tools: "list", parallel_tool_calls: "boolean", functions: "list" }),
  ],
  style: {
    ...CHAT_STYLE,
    args: "text",
    takesParts: true,
    nulls: "rejected",
    needsCallIds: true,
    masks: { weight: [0, 1] },
    fields: MESSAGE_FIELDS,
    endsInAnswer: true,
  },
  isClosed: true,
  infersColumns: false,
};

const INPUT_FIELDS = ["messages", "tools", "parallel_tool_calls"];

function readPreference(row: JsonObject, reader: RowReader): Omit<TrainerRow, "value"> {
  const input = isJsonObject(row.input) ? row.input : {};
  for (const field of Object.keys(input).filter((name) => !INPUT_FIELDS.includes(name))) {
    const message = `the API rejects a file with the field ${previewValue(field)}: remove it`;
    reader.faults.push(fault("ignored-column", "error", `/input/${field}`, message));
  }
  return {
    prompt: reader.part("input", input.messages, "/input/messages"),
    sides: OUTPUTS.map((name) => readOutput(name, row, reader)),
    tools: reader.tools(input.tools, "/input/tools"),
  };
}

/** One assistant message of text: the API compares nothing else. */
function readOutput(name: (typeof OUTPUTS)[number], row: JsonObject, reader: RowReader): RowSide {
  const part = reader.part(name, row[name]);
  const [first, ...others] = part.messages ?? [];
  if (others.length > 0 || (first !== undefined && first.calls.length > 0)) {
    const message = "must be one assistant message of text: the API compares nothing else";
    reader.faults.push(fault("message-content", "error", part.pointer, message));
  }
  return { ...part, mayBeEmpty: name === "non_preferred_output" };
}
