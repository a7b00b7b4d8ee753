import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { type RecordPart, splitRecords } from "../sources/source.js";
import { type ConvertedMessage, createConvertedReader, toPart } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

/**
 * Logs of Inspect: a JSON document with samples, or single samples. Epochs of a sample are the branches of a rollout. If
 * there is one scorer, its value is the reward; otherwise `--score` names one.
 */
export const inspect: Form = {
  id: "inspect",
  purpose: "logs and samples of Inspect",
  unit: "sample",
  files: packed("**/*.inspect.json"),
  options: [],
  recognise: ([first]) => isSample(first) || isLog(first),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "inspect", groupedBy: "/id" }, (value) => {
      const samples: readonly unknown[] = isLog(value) ? value.samples : [];
      const parts = isLog(value) ? splitRecords(samples) : splitRecords(value);
      const at = isLog(value) ? "/samples" : "";
      return parts.map((part) => toSample(part.value, `${at}${part.pointer}`));
    }),
};

function isLog(value: unknown): value is JsonObject & { readonly samples: readonly unknown[] } {
  return hasKeys(value, "eval", "samples") && Array.isArray(value.samples);
}

function isSample(value: unknown): boolean {
  return hasKeys(value, "id", "epoch", "messages") && Array.isArray(value.messages);
}

function toSample(sample: JsonObject, pointer: string): RecordPart {
  const { messages: list, scores, id, epoch, uuid, error, limit, input, target, metadata } = sample;
  const messages: readonly unknown[] = Array.isArray(list) ? list : [];
  const named = isJsonObject(scores) ? Object.entries(scores) : [];
  const values = named.map(([name, score]) => [name, isJsonObject(score) ? score.value : score]);
  const [only, ...others] = named;
  const at = `${pointer}/scores/${only?.[0]}/value`;
  return toPart({
    pointer,
    messages: messages
      .filter(isJsonObject)
      .map(
        (message, index): ConvertedMessage => [`${pointer}/messages/${index}`, toMessage(message)],
      ),
    tools: findTools(sample),
    reward: only && others.length === 0 ? { pointer: at, value: values[0]?.[1] } : undefined,
    group: id,
    session: uuid ?? `${String(id)}/${String(epoch)}`,
    fields: { ...Object.fromEntries(values), id, epoch, error, limit, input, target, metadata },
  });
}

/** A call names its function in `function`, and so does a result. */
function toMessage(message: JsonObject): JsonObject {
  const { tool_calls: calls, function: name, id: _, ...rest } = message;
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const read = list.map((call) => {
    if (!isJsonObject(call) || typeof call.function !== "string") return call;
    const { function: own, arguments: args, ...others } = call;
    return { ...others, function: { name: own, arguments: args } };
  });
  return {
    ...rest,
    ...(read.length > 0 && { tool_calls: read }),
    ...(typeof name === "string" && { name }),
  };
}

/** The tools of the first call of a model. */
function findTools({ events }: JsonObject): unknown {
  const list: readonly unknown[] = Array.isArray(events) ? events : [];
  const found = list.find(
    (event) => isJsonObject(event) && event.event === "model" && Array.isArray(event.tools),
  );
  const tools = isJsonObject(found) && Array.isArray(found.tools) ? found.tools : [];
  return tools.length > 0 ? tools : undefined;
}
