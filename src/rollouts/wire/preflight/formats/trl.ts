import type { JsonObject } from "../../../../base/json/value.js";
import type { RowForm, TrainerFormat } from "../format.js";
import type { RowReader } from "../row-reader.js";
import { CHAT_STYLE } from "../style.js";
import { fault, type RowPart, type RowSide, type TrainerRow } from "../trainer-row.js";

/** Columns that all of TRL's trainers read beside a conversation. */
export const TRL_COLUMNS = {
  tools: "tools",
  chat_template_kwargs: "object",
  images: "list",
  image: "any",
} as const;

export const trl: TrainerFormat = {
  id: "trl",
  purpose: "TRL: preferences for DPOTrainer, and completions with a reward",
  forms: [
    {
      name: "preference pair",
      required: { prompt: "conversation", chosen: "conversation", rejected: "conversation" },
      optional: TRL_COLUMNS,
      read: readPair,
    },
    {
      name: "preference pair with an implicit prompt",
      required: { chosen: "conversation", rejected: "conversation" },
      optional: TRL_COLUMNS,
      read: (row, reader) => splitPrompt(row, reader),
    },
    {
      name: "completion with a reward",
      required: { prompt: "conversation", completion: "conversation", reward: "number" },
      optional: TRL_COLUMNS,
      read: (row, reader) => ({
        prompt: reader.part("prompt", row.prompt),
        sides: [{ ...reader.part("completion", row.completion), mayBeEmpty: true }],
        tools: reader.tools(row.tools),
        isObserved: true,
      }),
    },
  ],
  style: CHAT_STYLE,
  isClosed: false,
  infersColumns: true,
};

/** A pair with its prompt. */
export function readPair(row: JsonObject, reader: RowReader): Omit<TrainerRow, "value"> {
  return {
    prompt: reader.part("prompt", row.prompt),
    sides: readSides(row, reader),
    tools: reader.tools(row.tools),
  };
}

function readSides(row: JsonObject, reader: RowReader): RowSide[] {
  return [
    reader.part("chosen", row.chosen),
    { ...reader.part("rejected", row.rejected), mayBeEmpty: true },
  ];
}

/** As TRL does: what both answers begin with is the prompt. Equal answers stay whole, for the check of equal sides. */
function splitPrompt(row: JsonObject, reader: RowReader): ReturnType<RowForm["read"]> {
  const [chosen, rejected] = readSides(row, reader);
  const tools = reader.tools(row.tools);
  if (chosen?.messages === undefined || rejected?.messages === undefined) {
    return { sides: [chosen, rejected].filter((side) => side !== undefined), tools };
  }
  const [one, other] = [chosen.messages, rejected.messages];
  const differs = one.findIndex(
    ({ value }, at) => JSON.stringify(value) !== JSON.stringify(other[at]?.value),
  );
  const end = differs < 0 ? Math.max(0, one.length - 1) : differs;
  if (end === 0) {
    const message = `lacks "prompt", for which TRL takes what both answers begin with: they begin differently`;
    reader.faults.push(fault("missing-column", "error", "", message));
  }
  const rest = (side: RowSide, messages: RowPart["messages"]): RowSide => ({
    ...side,
    messages: messages?.slice(end),
  });
  const prompt = { ...chosen, name: "prompt", messages: one.slice(0, end) };
  return { prompt, sides: [rest(chosen, one), rest(rejected, other)], tools };
}
