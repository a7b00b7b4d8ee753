import { isJsonObject } from "../json/value.js";
import type { ToolResult } from "./read-tool-events.js";

/**
 * Content of a tool message (`training-record#/$defs/Message`): always text, because four public chat
 * templates fail on null. Text stays as it is, no output is "", any other value is its JSON text. A
 * tool that put out nothing but failed says what went wrong: the error's text, its `message`, or its
 * JSON text.
 */
export function toContent({ output, error }: Pick<ToolResult, "output" | "error">): string {
  const text = toText(output);
  return text === "" && error !== undefined ? toErrorText(error) : text;
}

function toErrorText(error: unknown): string {
  const message = isJsonObject(error) ? error.message : undefined;
  return typeof message === "string" && message !== "" ? message : toText(error);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
