import { isJsonObject } from "../../../json/value.js";
import type { RowFields } from "./row-fields.js";

/** What a message says. */
export interface MessageContent {
  /** Its text; of a list of parts, that of all text parts, one after the other. */
  readonly text: string;
  /** Whether parts of it are neither text nor reasoning nor calls: an image, say. */
  readonly hasOther: boolean;
}

const NOTHING: MessageContent = { text: "", hasOther: false };

/** Parts that say nothing themselves: the model's reasoning, and calls and results, which are read elsewhere. */
const SILENT: readonly unknown[] = [
  ...["thinking", "redacted_thinking", "reasoning"],
  ...["tool_call", "unparsed_tool_call", "tool_use", "tool_result"],
];

/** Reads the content of a message: a text, a list of parts, or nothing. */
export function readContent(content: unknown, pointer: string, fields: RowFields): MessageContent {
  if (content === undefined || content === null) return NOTHING;
  if (typeof content === "string") return { text: content, hasOther: false };
  if (!Array.isArray(content)) {
    fields.refuse(pointer, "a string or an array of parts", content);
    return NOTHING;
  }
  let text = "";
  let hasOther = false;
  const parts: readonly unknown[] = content;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") text += part;
    else if (!isJsonObject(part)) fields.refuse(`${pointer}/${index}`, "a part", part);
    else if (typeof part.text === "string" && (part.type ?? "text") === "text") text += part.text;
    else if (!SILENT.includes(part.type)) hasOther = true;
  }
  return { text, hasOther };
}

/** What a tool returned: its text; what holds more than that is kept as it is, for an output is any JSON value. */
export function readOutput(content: unknown, pointer: string, fields: RowFields): unknown {
  const { text, hasOther } = readContent(content, pointer, fields);
  if (hasOther) return content;
  return content === undefined || content === null ? null : text;
}
