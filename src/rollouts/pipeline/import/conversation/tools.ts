import type { ToolDefinition } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { withoutSchemaNulls } from "./arrow-nulls.js";
import type { RowIssues } from "./issues.js";
import { parseJsonText } from "./json-text.js";
import { skipFields } from "./unread.js";

/**
 * Reads tool definitions: a list, or one of them, of OpenAI's `{type: "function", function}`, the bare
 * `{name, description, parameters}`, or Anthropic's `{name, description, input_schema}`; each of these also as
 * JSON text. Undefined for null, and if no tool can be read: the row does not say.
 */
export function readTools(
  value: unknown,
  pointer: string,
  issues: RowIssues,
): ToolDefinition[] | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const given = withoutText(value, pointer, issues);
  if (given === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given.value) ? given.value : [given.value];
  const tools = list.flatMap((element, index): ToolDefinition[] => {
    const at = given.isText || list !== given.value ? pointer : `${pointer}/${index}`;
    const tool = withoutText(element, at, issues);
    const read = tool && readTool(tool.value, at, issues);
    return read === undefined ? [] : [read];
  });
  return tools.length === 0 && list.length > 0 ? undefined : tools;
}

interface Given {
  readonly value: unknown;
  /** Whether it was JSON text. */
  readonly isText: boolean;
}

function withoutText(value: unknown, pointer: string, issues: RowIssues): Given | undefined {
  if (typeof value !== "string") return { value, isText: false };
  const { value: parsed, problem } = parseJsonText(value);
  if (problem === undefined) return { value: parsed, isText: true };
  issues.addUnplaced("tool-definition", pointer, `must be tools; the text ${problem}`);
  return undefined;
}

function readTool(tool: unknown, pointer: string, issues: RowIssues): ToolDefinition | undefined {
  const body = isJsonObject(tool) && isJsonObject(tool.function) ? tool.function : tool;
  if (!isJsonObject(body) || typeof body.name !== "string" || body.name === "") {
    const message = "must be a function with a name: OpenAI's, Anthropic's, or {name, parameters}";
    issues.addUnplaced("tool-definition", pointer, message);
    return undefined;
  }
  const { name, description, parameters, input_schema: schema, ...rest } = body;
  if (body !== tool && isJsonObject(tool)) skipFields(tool, WRAPPER_FIELDS, pointer, issues);
  if (body === tool) skipFields(rest, BARE_FIELDS, pointer, issues);
  const given = withoutText(parameters ?? schema ?? {}, pointer, issues);
  if (given === undefined) return undefined;
  if (!isJsonObject(given.value) || !(description === null || isOptionalText(description))) {
    const message = "its parameters must be an object, and its description a text";
    issues.addUnplaced("tool-definition", pointer, message);
    return undefined;
  }
  return {
    type: "function",
    function: {
      name,
      ...(typeof description === "string" && { description }),
      parameters: withoutSchemaNulls(given.value),
      ...functionFields(body === tool ? { strict: rest.strict ?? null } : rest),
    },
  };
}

/** Fields that are read beside those of the function, and beside those of a bare one. */
const WRAPPER_FIELDS: ReadonlySet<string> = new Set(["type", "function"]);
const BARE_FIELDS: ReadonlySet<string> = new Set(["type", "strict"]);

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** Other fields of OpenAI's function. Null means absent. Beside a bare function only `strict` belongs to it. */
function functionFields(rest: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}
