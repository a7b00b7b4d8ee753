import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { pickCalls } from "../conversation/langchain.js";
import type { RecordPart } from "../reader.js";
import { isEmpty, Tally } from "../tally.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  placeMessages,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { isMessage } from "./message-list.js";
import { toItemMessages } from "./responses-items.js";

/** Runs of LangSmith whose `run_type` is `llm`: messages in `inputs`, the answer in `outputs`. */
export const langsmith: Form = {
  id: "langsmith",
  purpose: "runs of a model in LangSmith",
  unit: "run",
  files: packed("**/*.langsmith.jsonl"),
  options: [],
  recognise: ([first]) => hasKeys(first, "run_type", "inputs", "outputs"),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "langsmith" }, (value) =>
      listObjects(value).map(([at, run]) => toRun(at, run)),
    ),
};

/** A run as a record. `answer`: where its outputs are, if not with the rest. */
export function toRun(pointer: string, run: JsonObject, answer = pointer): RecordPart {
  const { inputs, outputs, id, run_type: type, extra, ...fields } = run;
  if (type !== "llm") {
    const message = `is a run of the type ${previewValue(type)}: only runs of the type "llm" have a conversation`;
    return toPart({
      pointer,
      messages: [],
      leftOut: { id: "no-generation", pointer: "", message },
    });
  }
  const invocation =
    isJsonObject(extra) && isJsonObject(extra.invocation_params) ? extra.invocation_params : {};
  const tally = new Tally();
  const given = isJsonObject(inputs) ? toGiven(inputs, `${pointer}/inputs`, tally) : [];
  skipRest(extra, `${pointer}/extra`, ["invocation_params"], tally);
  skipRest(invocation, `${pointer}/extra/invocation_params`, ["tools"], tally);
  return toPart({
    ...{ pointer, given: given.length, session: id, fields, tally },
    messages: [...given, ...findAnswer(outputs, `${answer}/outputs`, tally)],
    tools: (isJsonObject(inputs) ? inputs.tools : undefined) ?? invocation.tools,
  });
}

/**
 * What a model was given: messages, or `input` of the Responses API. The system prompt of that and of Anthropic's API stands
 * beside them.
 */
function toGiven(inputs: JsonObject, at: string, tally: Tally): ConvertedMessage[] {
  const { messages, system, instructions, input } = inputs;
  const isAsked = messages === undefined && (typeof input === "string" || Array.isArray(input));
  const place = isEmpty(system) ? "instructions" : "system";
  const told = isEmpty(system) ? instructions : system;
  skipRest(inputs, at, ["messages", "tools", place, ...(isAsked ? ["input"] : [])], tally);
  return [
    ...(isEmpty(told) ? [] : [[`${at}/${place}`, { role: "system", content: told }] as const]),
    ...(isAsked ? toItemMessages(input, `${at}/input`) : []),
    ...toLangChain(messages, `${at}/messages`),
  ];
}

/** The answer of a run: a generation of LangChain, a choice of OpenAI, or a message. What stands beside it is counted. */
export function findAnswer(outputs: unknown, at: string, tally: Tally): ConvertedMessage[] {
  if (!isJsonObject(outputs)) return [];
  if (ANSWERS.every((key) => outputs[key] === undefined)) {
    return isMessage(outputs) ? [[at, outputs]] : [];
  }
  skipRest(outputs, at, [...ANSWERS, "id", "object", "created", "incomplete_details"], tally);
  const { generations, choices, message, messages, output, incomplete_details: lack } = outputs;
  const nested: unknown = Array.isArray(generations) ? generations[0] : undefined;
  const list = `${at}/${generations ? "generations" : "choices"}`;
  const [found, ...others] = Array.isArray(nested)
    ? listObjects(nested, `${list}/0`)
    : listObjects(generations ?? choices, list);
  for (const [, each] of others) tally.skip(list, each);
  if (found) return toChosen(found, tally);
  if (isJsonObject(message)) return fromLangChain(message, `${at}/message`);
  if (messages !== undefined) return toLangChain(messages, `${at}/messages`);
  const ended = isJsonObject(lack) ? { finish_reason: lack.reason } : {};
  return toItemMessages(output, `${at}/output`).map(([place, each]) => [
    place,
    { ...ended, ...each },
  ]);
}

const ANSWERS = ["generations", "choices", "message", "messages", "output"];

/** The message of a generation or a choice, and how it ended. */
function toChosen([at, chosen]: readonly [string, JsonObject], tally: Tally): ConvertedMessage[] {
  const { message, text, generation_info: info, finish_reason: reason } = chosen;
  const read = ["message", "text", "generation_info", "finish_reason", "index", "type"];
  skipRest(chosen, at, read, tally);
  skipRest(info, `${at}/generation_info`, ["finish_reason"], tally);
  const said: ConvertedMessage[] = isJsonObject(message)
    ? fromLangChain(message, `${at}/message`)
    : [[at, { role: "assistant", content: text }]];
  // Clients have put the last piece of a stream in place of its reason.
  const given = isJsonObject(info) ? info.finish_reason : reason;
  const ended = { finish_reason: isJsonObject(given) ? given.finish_reason : given };
  return said.map(([place, each]) => [place, { ...ended, ...each }]);
}

const fromLangChain = (message: JsonObject, at: string): ConvertedMessage[] =>
  toLangChain([message], at).map(([, each]) => [at, each]);

const ROLES: readonly (readonly [suffix: RegExp, role: string])[] = [
  [/^(?:System|Developer)Message/, "system"],
  [/^HumanMessage/, "user"],
  [/^AIMessage/, "assistant"],
  [/^(?:Tool|Function)Message/, "tool"],
];

/** Messages of LangChain as its serialiser writes them, in a list or in a list of one list; others as they are. */
function toLangChain(value: unknown, pointer: string): ConvertedMessage[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const nested = list.length === 1 && Array.isArray(list[0]);
  if (nested) return toLangChain(list[0], `${pointer}/0`);
  return placeMessages(list, pointer).map(([at, message]): ConvertedMessage => {
    const { kwargs, id, type, data } = message;
    const body = isJsonObject(kwargs) ? kwargs : isJsonObject(data) ? data : undefined;
    if (body === undefined) return [at, message];
    const name = Array.isArray(id) ? String(id.at(-1)) : "";
    const role = ROLES.find(([pattern]) => pattern.test(name))?.[1] ?? body.type ?? type;
    const { type: _, additional_kwargs: extra, ...rest } = body;
    return [
      `${at}/${isJsonObject(kwargs) ? "kwargs" : "data"}`,
      { ...rest, ...pickCalls(extra, rest), role },
    ];
  });
}
