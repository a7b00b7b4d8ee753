import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toJsonText } from "../parse-log.js";
import type { ConvertedMessage } from "./converted.js";
import { type KnownPart, splitParts } from "./split-parts.js";

/** Types of parts with what a model thought: of the conventions, of pydantic-ai, and of .NET where a version knows none. */
const THOUGHTS: readonly unknown[] = [
  ...["reasoning", "thinking", "Microsoft.Extensions.AI.TextReasoningContent"],
];

/** Tells whether the parts of a message are those of OpenTelemetry's conventions for GenAI: each says its type. */
export function isGenAiMessage({ parts }: JsonObject): boolean {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  return list.some((part) => isJsonObject(part) && typeof part.type === "string");
}

/** A message of OpenTelemetry's conventions for GenAI as messages that every reader knows. */
export function fromGenAi([at, { parts, ...message }]: ConvertedMessage): ConvertedMessage[] {
  return splitParts([at, message], Array.isArray(parts) ? parts : [], toPart);
}

function toPart(part: JsonObject): KnownPart {
  const { type, content, ...rest } = part;
  if (type === "text") return { said: { ...rest, type, text: content } };
  if (type === "tool_call") return { said: { ...part, id: toId(part.id) } };
  if (type === "tool_call_response") return { result: toResult(part) };
  if (!THOUGHTS.includes(type)) return { said: part };
  const thought = isJsonObject(content) ? content : { text: content };
  return { said: { ...rest, ...thought, type: "reasoning" } };
}

/** What a tool returned is its `response`; pydantic-ai has it in `result`. */
function toResult(part: JsonObject): JsonObject {
  const { type: _, id, response, result, ...rest } = part;
  const output = response ?? result;
  const content = typeof output === "string" ? output : toJsonText(output ?? null);
  return { ...rest, tool_call_id: toId(id), content };
}

/** Some writers give the id of a run before that of the call. */
const toId = (id: unknown): unknown => (Array.isArray(id) ? id.at(-1) : id);
