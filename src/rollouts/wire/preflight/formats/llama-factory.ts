import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { RowForm, TrainerFormat } from "../format.js";
import type { RowReader } from "../row-reader.js";
import { CHAT_STYLE } from "../style.js";
import { fault, type RowPart, type RowSide, type TrainerRow } from "../trainer-row.js";

const COLUMNS = {
  tools: "tools",
  system: "text",
  images: "list",
  videos: "list",
  audios: "list",
} as const;

/** The columns that LLaMA-Factory reads unless `dataset_info.json` names others, and those of our own export. */
export const llamaFactory: TrainerFormat = {
  id: "llama-factory",
  purpose: "LLaMA-Factory: sharegpt and alpaca files, supervised, with pairs, or with a label",
  forms: [
    ...["conversations", "messages"].flatMap((column): RowForm[] => [
      {
        name: "preference pair",
        required: { [column]: "messages", chosen: "object", rejected: "object" },
        optional: COLUMNS,
        read: (row, reader) => ({
          prompt: reader.part(column, row[column]),
          sides: [oneMessage("chosen", row, reader), oneMessage("rejected", row, reader)],
          tools: reader.tools(row.tools),
        }),
      },
      {
        name: "conversation",
        required: { [column]: "messages" },
        optional: { ...COLUMNS, label: "boolean", kto_tag: "boolean" },
        read: (row, reader) => ({
          sides: [{ ...reader.part(column, row[column]), isWhole: true }],
          tools: reader.tools(row.tools),
        }),
      },
    ]),
    {
      name: "alpaca pair",
      required: { instruction: "text", chosen: "text", rejected: "text" },
      optional: { ...COLUMNS, input: "text", history: "list" },
      read: (row, reader) => readAlpaca(row, reader, ["chosen", "rejected"]),
    },
    {
      name: "alpaca row",
      required: { instruction: "text", output: "text" },
      optional: {
        ...COLUMNS,
        input: "text",
        history: "list",
        label: "boolean",
        kto_tag: "boolean",
      },
      read: (row, reader) => readAlpaca(row, reader, ["output"]),
    },
  ],
  style: {
    ...CHAT_STYLE,
    keys: [
      ["from", "value"],
      ["role", "content"],
    ],
    roles: {
      system: "system",
      human: "user",
      user: "user",
      gpt: "assistant",
      assistant: "assistant",
      function_call: "assistant",
      observation: "tool",
      tool: "tool",
    },
    args: "any",
    endsInAnswer: true,
    alternates: true,
  },
  isClosed: false,
  infersColumns: true,
};

function oneMessage(name: string, row: JsonObject, reader: RowReader): RowSide {
  const message = reader.message(row[name], `/${name}`);
  const messages = message === undefined ? [] : [message];
  return { name, pointer: `/${name}`, messages, text: "", mayBeEmpty: name === "rejected" };
}

/** Instruction and input are the prompt, as text. */
function readAlpaca(
  row: JsonObject,
  reader: RowReader,
  learned: readonly string[],
): Omit<TrainerRow, "value"> {
  const history: readonly unknown[] = Array.isArray(row.history) ? row.history : [];
  for (const [index, turn] of history.entries()) {
    const isPair = Array.isArray(turn) && turn.length === 2;
    if (isPair && turn.every((text) => typeof text === "string")) continue;
    const message = "must be a list of two texts: what the user said, and the answer";
    reader.faults.push(fault("column-type", "error", `/history/${index}`, message));
  }
  if (isJsonObject(row.instruction)) return { sides: [] };
  const texts = [row.instruction, row.input].filter((text) => typeof text === "string");
  const prompt: RowPart = {
    name: "instruction",
    pointer: "/instruction",
    messages: undefined,
    text: texts.join("\n"),
  };
  const sides = learned.map((name) => ({
    ...reader.part(name, row[name]),
    mayBeEmpty: name === "rejected",
  }));
  return { prompt, sides, tools: reader.tools(row.tools) };
}
