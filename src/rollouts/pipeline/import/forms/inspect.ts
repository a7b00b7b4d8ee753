import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { type RecordPart, splitRecords } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  skipBeside,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

/**
 * Logs of Inspect: a JSON document with samples, or single samples. Epochs of a sample are the branches of a rollout. If
 * there is one scorer, its value is the reward; otherwise `--score` names one.
 */
export const inspect: Form = {
  id: "inspect",
  purpose: "logs and samples of Inspect",
  unit: "sample",
  files: ["**/*.eval", ...packed("**/*.inspect.json")],
  options: [],
  recognise: ([first]) => isSample(first) || isLog(first),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "inspect", groupedBy: "/id" }, (value) => {
      const samples: readonly unknown[] = isLog(value) ? value.samples : [];
      const parts = isLog(value) ? splitRecords(samples) : splitRecords(value);
      const at = isLog(value) ? "/samples" : "";
      const read = parts.map((part) => toSample(part.value, `${at}${part.pointer}`));
      if (isLog(value)) skipBeside(value, ["samples"], read);
      return read;
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
  const tally = new Tally();
  skipRest(sample, pointer, READ, tally);
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
        (message, index): ConvertedMessage => [
          `${pointer}/messages/${index}`,
          toMessage(withAttachments(message, sample.attachments)),
        ],
      ),
    tools: findTools(sample),
    reward: only && others.length === 0 ? { pointer: at, value: values[0]?.[1] } : undefined,
    group: id,
    session: uuid ?? `${String(id)}/${String(epoch)}`,
    fields: { ...Object.fromEntries(values), id, epoch, error, limit, input, target, metadata },
    tally,
  });
}

/** Fields of a sample that are read, or that repeat what is read. */
const READ = [
  ...["messages", "scores", "id", "epoch", "uuid", "error", "limit", "input", "target", "metadata"],
  ...["attachments", "events", "output"],
];

/** How a text begins that stands in the attachments of its sample. */
const ATTACHMENT = "attachment://";

function withAttachments(message: JsonObject, attachments: unknown): JsonObject {
  const read = replaceAttachments(message, isJsonObject(attachments) ? attachments : {});
  return isJsonObject(read) ? read : message;
}

function replaceAttachments(value: unknown, attachments: JsonObject): unknown {
  if (typeof value === "string" && value.startsWith(ATTACHMENT)) {
    return attachments[value.slice(ATTACHMENT.length)] ?? value;
  }
  if (Array.isArray(value)) return value.map((each) => replaceAttachments(each, attachments));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, replaceAttachments(each, attachments)]),
  );
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
