import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { withoutText } from "../parse-log.js";

/**
 * Tools as OpenAI defines them: of a list, of an object by name, or of the JSON text of either. The AI SDK has their schemas in
 * `inputSchema`, pydantic-ai in `parameters_json_schema`, and Google lists them in `function_declarations`.
 */
export function toTools(value: unknown): unknown {
  const tools = withoutText(value);
  const named: [string, unknown][] = isJsonObject(tools) ? Object.entries(tools) : [];
  const list: readonly unknown[] = Array.isArray(tools)
    ? tools
    : named.map(([name, tool]) => (isJsonObject(tool) ? { name, ...tool } : tool));
  const read = list.map(withoutText).flatMap((tool): unknown[] => {
    if (!isJsonObject(tool) || isJsonObject(tool.function)) return [tool];
    const { function_declarations: snake, functionDeclarations: declared = snake, ...rest } = tool;
    if (!Array.isArray(declared)) return [toTool(tool)];
    const others = Object.keys(rest).length > 0 ? [rest] : [];
    return [...declared.map((each) => (isJsonObject(each) ? toDeclared(each) : each)), ...others];
  });
  return read.length > 0 ? read : undefined;
}

function toTool(tool: JsonObject): JsonObject {
  const { inputSchema: schema, parameters_json_schema: json = schema, ...others } = tool;
  const { parameters, type: _, ...rest } = others;
  const given = isJsonObject(json) && isJsonObject(json.jsonSchema) ? json.jsonSchema : json;
  return { ...rest, parameters: given ?? parameters ?? {} };
}

/** A declaration of Google: its schema is its own, or JSON Schema beside it. */
function toDeclared(declaration: JsonObject): JsonObject {
  const { parameters, parametersJsonSchema: json, ...rest } = declaration;
  return toTool({ ...rest, parameters: json ?? toJsonSchema(parameters) });
}

/** Google writes the types of its schemas in capitals. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, each]) => {
    const isType = key === "type" && typeof each === "string";
    return [key, isType ? each.toLowerCase() : toJsonSchema(each)];
  });
  return Object.fromEntries(entries);
}
