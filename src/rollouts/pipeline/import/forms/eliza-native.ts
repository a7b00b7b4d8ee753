import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import { PROMPT_FIELDS, toCall, toPrompt } from "./ai-sdk.js";
import { createConvertedReader, listObjects, skipRest, toPart } from "./converted.js";
import { type Form, packed } from "./form.js";
import { toTools } from "./tool-definitions.js";

const FORMAT = "eliza_native_v1";

/** The verdicts of a scenario. A skipped one has none. */
const VERDICTS = new Map<unknown, boolean>([
  ["passed", true],
  ["failed", false],
]);

/** Rows of elizaOS, each of which is one call of a model by the AI SDK. */
export const elizaNative: Form = {
  id: "eliza-native",
  purpose: "rows of elizaOS in the format eliza_native_v1",
  unit: "row",
  files: packed("**/native.jsonl"),
  options: [],
  recognise: ([first]) => isJsonObject(first) && first.format === FORMAT,
  createReader: (settings) =>
    createConvertedReader(settings, { id: "eliza-native" }, (value) =>
      listObjects(value).map(([at, row]) => convert(at, row)),
    ),
};

function convert(pointer: string, row: JsonObject): RecordPart {
  const { request, response, scenarioStatus: status, judgeScore, callId, ...fields } = row;
  if (!isJsonObject(request) || !isJsonObject(response)) {
    const message = "lacks its request or its response";
    return toPart({ pointer, messages: [], fault: { id: "required", pointer, message } });
  }
  const at = `${pointer}/request`;
  const { tools, settings } = request;
  const given = toPrompt(request, at);
  const tally = new Tally();
  skipRest(request, at, [...PROMPT_FIELDS, "tools", "settings"], tally);
  skipRest(settings, `${at}/settings`, ["temperature"], tally);
  const verdict = VERDICTS.get(status);
  const score = judgeScore === undefined ? verdict : judgeScore;
  const key = judgeScore === undefined ? "scenarioStatus" : "judgeScore";
  return toPart({
    ...{ pointer, given: given.length, tools: toTools(tools), session: callId },
    messages: [...given, [`${pointer}/response`, toAnswer(response)]],
    temperature: isJsonObject(settings) ? settings.temperature : undefined,
    reward: score === undefined ? undefined : { pointer: `${pointer}/${key}`, value: score },
    fields: { ...fields, scenarioStatus: status },
    tally,
  });
}

/** What the model wrote. What is not read of it is counted. */
function toAnswer({ text, toolCalls, ...rest }: JsonObject): JsonObject {
  const calls = listObjects(toolCalls).map(([, call]) => toCall(call));
  return {
    role: "assistant",
    content: text ?? "",
    ...(calls.length > 0 && { tool_calls: calls }),
    ...rest,
  };
}
