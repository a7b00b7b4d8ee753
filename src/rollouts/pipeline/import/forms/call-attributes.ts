import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { withoutText } from "../parse-log.js";
import { isEmpty, type Tally } from "../tally.js";
import { skipRest } from "./converted.js";
import { toTools } from "./tool-definitions.js";

/** What attributes of OpenTelemetry say of a call of a model beside its messages. */
export interface CallAttributes {
  readonly tools: unknown;
  readonly instructions: unknown;
  readonly reasoning: unknown;
  readonly finishReason: unknown;
}

/** Attributes with a list of tools, or with the JSON text of one. */
const TOOLS = ["gen_ai.tool.definitions", "ai.prompt.tools"];
/** pydantic-ai has tools in two lists: what a model may call, and by what it answers. */
const REQUEST = "model_request_parameters";
/** Tools of OpenInference and OpenLLMetry, each in attributes of its own. */
const INDEXED = /^llm\.(?:tools|request\.functions)\.\d+\./;
export const INSTRUCTIONS = "gen_ai.system_instructions";
const REASONING = "ai.response.reasoning";
const FINISH = ["gen_ai.response.finish_reasons", "ai.response.finishReason"];
const OPERATION = "ai.operationId";

/** The prefix of attributes where metadata has no objects in it. */
const FLAT = "attributes.";

/** Metadata of Langfuse, which may be JSON text, and the attributes in it. */
function toObjects(value: unknown): Record<"metadata" | "attributes", JsonObject> {
  const parsed = withoutText(value);
  const metadata = isJsonObject(parsed) ? parsed : {};
  const nested = withoutText(metadata.attributes);
  const flat = Object.entries(metadata).filter(([key]) => key.startsWith(FLAT));
  const own = flat.map(([key, each]) => [key.slice(FLAT.length), each]);
  return {
    metadata,
    attributes: { ...Object.fromEntries(own), ...(isJsonObject(nested) && nested) },
  };
}

/**
 * The function of the AI SDK that made a span around calls of a model. They have operations of their own, such as
 * `ai.generateText.doGenerate`.
 */
export function findFunction(value: unknown): string | undefined {
  const { [OPERATION]: operation } = toObjects(value).attributes;
  return typeof operation === "string" && /^ai\.\w+$/.test(operation) ? operation : undefined;
}

/** Reads `metadata` as Langfuse keeps it, and counts what it does not read. */
export function readCallAttributes(value: unknown, pointer: string, tally: Tally): CallAttributes {
  const at = `${pointer}/attributes`;
  const { metadata, attributes } = toObjects(value);
  const flat = Object.keys(metadata).filter((key) => key.startsWith(FLAT));
  skipRest(metadata, pointer, ["tools", "attributes", ...flat], tally);
  const read = [...TOOLS, REQUEST, INSTRUCTIONS, REASONING, ...FINISH, OPERATION];
  const indexed = Object.keys(attributes).filter((key) => INDEXED.test(key));
  skipRest(attributes, at, [...read, ...indexed], tally);
  const request = withoutText(attributes[REQUEST]);
  skipRest(request, `${at}/${REQUEST}`, ["function_tools", "output_tools"], tally);
  const requested = isJsonObject(request) ? [request.function_tools, request.output_tools] : [];
  const listed = [metadata.tools, ...TOOLS.map((key) => attributes[key]), requested.flat()];
  const reasons = FINISH.flatMap((key) => withoutText(attributes[key]));
  return {
    tools: toTools([...listed, readIndexed(attributes, indexed)].find((each) => !isEmpty(each))),
    instructions: attributes[INSTRUCTIONS],
    reasoning: attributes[REASONING],
    finishReason: reasons.find((reason) => typeof reason === "string"),
  };
}

/** The tools in attributes such as `llm.tools.0.tool.json_schema` and `llm.request.functions.0.name`. */
function readIndexed(attributes: JsonObject, keys: readonly string[]): unknown[] {
  const tools = new Map<string, JsonObject>();
  for (const key of keys) {
    const [index = ""] = INDEXED.exec(key) ?? [];
    const field = key.slice(index.length);
    const value = withoutText(attributes[key]);
    const isWhole = field === "tool.json_schema" && isJsonObject(value);
    tools.set(index, { ...tools.get(index), ...(isWhole ? value : { [field]: value }) });
  }
  return [...tools.values()];
}
