import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toJsonText } from "../parse-log.js";
import type { ConvertedMessage } from "./converted.js";

/** A call of the AI SDK as one of OpenAI's: `{toolCallId, toolName, input}`, with `args` in older versions. */
export function toCall(call: JsonObject): JsonObject {
  const { toolCallId: id, toolName: name, input, args, type: _, ...rest } = call;
  return { ...rest, id, function: { name, arguments: input ?? args ?? {} } };
}

/**
 * A message of the AI SDK, whose parts hold calls and results, as messages that every reader knows. Other parts stay as
 * they are.
 */
export function toModelMessages([at, message]: ConvertedMessage): ConvertedMessage[] {
  const parts: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  const isOf = (part: unknown, type: string): part is JsonObject =>
    isJsonObject(part) && part.type === type;
  const calls = parts.filter((part) => isOf(part, "tool-call"));
  const results = parts.filter((part) => isOf(part, "tool-result"));
  if (calls.length === 0 && results.length === 0) return [[at, message]];
  const said = parts.filter((part) => !isOf(part, "tool-call") && !isOf(part, "tool-result"));
  const speech: ConvertedMessage[] =
    message.role === "tool" && said.length === 0
      ? []
      : [
          [
            at,
            {
              ...message,
              content: said.length > 0 ? said : "",
              ...(calls.length > 0 && { tool_calls: calls.filter(isJsonObject).map(toCall) }),
            },
          ],
        ];
  return [
    ...speech,
    ...results.filter(isJsonObject).map((part): ConvertedMessage => [at, toResult(part)]),
  ];
}

function toResult(part: JsonObject): JsonObject {
  const { toolCallId: id, toolName: name, output, result, type: _, ...rest } = part;
  const value =
    isJsonObject(output) && Object.hasOwn(output, "value") ? output.value : (output ?? result);
  const content = typeof value === "string" ? value : toJsonText(value ?? null);
  return { role: "tool", tool_call_id: id, name, content, ...rest };
}

/** Tools of the AI SDK: a list, or an object by name, with the schema in `inputSchema` or `parameters`. */
export function toTools(tools: unknown): unknown {
  const named: [string, unknown][] = isJsonObject(tools) ? Object.entries(tools) : [];
  const list: readonly unknown[] = Array.isArray(tools)
    ? tools
    : named.map(([name, tool]) => (isJsonObject(tool) ? { name, ...tool } : tool));
  const read = list.map((tool) => {
    if (!isJsonObject(tool) || isJsonObject(tool.function)) return tool;
    const { inputSchema: schema, parameters, type: _, ...rest } = tool;
    const given =
      isJsonObject(schema) && isJsonObject(schema.jsonSchema) ? schema.jsonSchema : schema;
    return { ...rest, parameters: given ?? parameters ?? {} };
  });
  return read.length > 0 ? read : undefined;
}
