import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { pickCalls } from "../conversation/langchain.js";
import { tryParseLog } from "../parse-log.js";
import type { RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  placeMessages,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { isMessage, isMessageList } from "./message-list.js";
import { isItemList, isResponseItem, toItemMessages } from "./responses-items.js";

/** Generations of Langfuse: observations with the messages in `input` and the answer in `output`. */
export const langfuse: Form = {
  id: "langfuse",
  purpose: "generations of Langfuse",
  unit: "generation",
  files: packed("**/*.langfuse.jsonl"),
  options: [],
  recognise: ([first]) =>
    isTrace(first) ||
    (hasKeys(first, "input", "output") &&
      (hasKeys(first, "traceId") || hasKeys(first, "trace_id")) &&
      (first.type === GENERATION ||
        isMessageList(first.input) ||
        hasKeys(first.input, "messages"))),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "langfuse" }, (value) =>
      listObjects(value).flatMap(([at, each]) =>
        isTrace(each) ? splitTrace(at, each) : [toGeneration(at, each)],
      ),
    ),
};

const GENERATION = "GENERATION";

/** Tells whether a value is a trace with its observations, as the API gives it. */
function isTrace(value: unknown): value is JsonObject {
  return hasKeys(value, "observations") && listObjects(value.observations).some(isGeneration);
}

const isGeneration = ([, { type }]: readonly [string, JsonObject]): boolean => type === GENERATION;

/** The generations of a trace. Each has the messages so far in its input. */
function splitTrace(at: string, { observations, trace }: JsonObject): RecordPart[] {
  const all = listObjects(observations, `${at}/observations`);
  const tally = new Tally();
  for (const each of all) {
    if (!isGeneration(each)) tally.skip(`${each[0]}/${String(each[1].type)}`, each[1]);
  }
  skipRest(trace, `${at}/trace`, ["id"], tally);
  const parts = all.filter(isGeneration).map(([place, each]) => toGeneration(place, each));
  const [first] = parts;
  first?.tally?.add(tally);
  return parts;
}

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

function toGeneration(pointer: string, observation: JsonObject): RecordPart {
  const { id, scores, traceId, trace_id: trace = traceId, ...others } = observation;
  const { input: wholeInput, output: wholeOutput, ...fields } = others;
  const [input, output] = [parseText(wholeInput), parseText(wholeOutput)];
  const given = hasKeys(input, "messages")
    ? placeMessages(input.messages, `${pointer}/input/messages`)
    : toMessages(input, `${pointer}/input`, "user");
  const answer = toMessages(output, `${pointer}/output`, "assistant");
  const tally = new Tally();
  const isResponse = hasKeys(output, "output") || hasKeys(output, "choices");
  const { instructions, tools }: JsonObject = isResponse ? output : {};
  if (isResponse) skipRest(output, `${pointer}/output`, RESPONSE_FIELDS, tally);
  if (typeof instructions === "string" && instructions !== "") {
    given.unshift([`${pointer}/output/instructions`, { role: "system", content: instructions }]);
  }
  if (!isMessage(input)) skipRest(input, `${pointer}/input`, ["messages", "tools"], tally);
  const own = listObjects(scores, `${pointer}/scores`);
  const named = own.map(([, score]) => [String(score.name), score.value]);
  const [only] = own;
  return toPart({
    ...{ pointer, given: given.length, session: id },
    messages: [...given, ...answer],
    tools: isJsonObject(input) && input.tools !== undefined ? input.tools : tools,
    reward:
      only && own.length === 1 ? { pointer: `${only[0]}/value`, value: only[1].value } : undefined,
    fields: { ...Object.fromEntries(named), ...fields, traceId: trace },
    tally,
  });
}

/** A run as a record. `answer`: where its outputs are, if not with the rest. */
export function toRun(pointer: string, run: JsonObject, answer = pointer): RecordPart {
  const { inputs, outputs, id, run_type: type, extra, ...fields } = run;
  if (type !== "llm") {
    const message = `is a run of the type ${JSON.stringify(type)}: only runs of the type "llm" have a conversation`;
    return toPart({
      pointer,
      messages: [],
      fault: { id: "run-type", pointer: `${pointer}/run_type`, message },
    });
  }
  const given = toLangChain(
    isJsonObject(inputs) ? inputs.messages : undefined,
    `${pointer}/inputs/messages`,
  );
  const invocation =
    isJsonObject(extra) && isJsonObject(extra.invocation_params) ? extra.invocation_params : {};
  const tally = new Tally();
  skipRest(inputs, `${pointer}/inputs`, ["messages", "tools"], tally);
  skipRest(extra, `${pointer}/extra`, ["invocation_params"], tally);
  skipRest(invocation, `${pointer}/extra/invocation_params`, ["tools"], tally);
  return toPart({
    ...{ pointer, given: given.length, session: id, fields, tally },
    messages: [...given, ...findAnswer(outputs, `${answer}/outputs`)],
    tools: (isJsonObject(inputs) ? inputs.tools : undefined) ?? invocation.tools,
  });
}

/** The answer of a run: a generation of LangChain, a choice of OpenAI, or a message. */
function findAnswer(outputs: unknown, at: string): ConvertedMessage[] {
  if (!isJsonObject(outputs)) return [];
  const { generations, choices, message, messages } = outputs;
  if (Array.isArray(generations)) {
    const nested: unknown = generations[0];
    const isNested = Array.isArray(nested);
    const [found] = listObjects(
      isNested ? nested : generations,
      isNested ? `${at}/generations/0` : `${at}/generations`,
    );
    if (found === undefined) return [];
    const [place, generation] = found;
    if (generation.message !== undefined)
      return toLangChain([generation.message], `${place}/message`).map(([, each]) => [
        `${place}/message`,
        each,
      ]);
    return [[place, { role: "assistant", content: generation.text }]];
  }
  const [choice] = listObjects(choices, `${at}/choices`);
  if (choice && isJsonObject(choice[1].message))
    return [[`${choice[0]}/message`, choice[1].message]];
  if (isJsonObject(message))
    return toLangChain([message], `${at}/message`).map(([, each]) => [`${at}/message`, each]);
  if (Array.isArray(messages)) return toLangChain(messages, `${at}/messages`);
  return isMessage(outputs) ? [[at, outputs]] : [];
}

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

/** Fields of a whole response that are read: of the Responses API, and of chat completions. */
const RESPONSE_FIELDS = ["output", "instructions", "tools", "choices", "id", "object", "created"];

/** Langfuse keeps what a program reported as an object or as its JSON text. */
function parseText(value: unknown): unknown {
  const parsed = typeof value === "string" ? tryParseLog(value) : undefined;
  return isJsonObject(parsed) || Array.isArray(parsed) ? parsed : value;
}

/** A list of messages, one message, or a text that somebody says. */
function toMessages(value: unknown, pointer: string, speaker: string): ConvertedMessage[] {
  if (typeof value === "string") return [[pointer, { role: speaker, content: value }]];
  if (isMessage(value)) return [[pointer, value]];
  if (isItemList(value)) return toItemMessages(value, pointer);
  if (isJsonObject(value) && speaker === "assistant") {
    const { output } = value;
    const isItems = Array.isArray(output) && output.some(isResponseItem);
    const found = isItems
      ? toItemMessages(output, `${pointer}/output`)
      : findAnswer(value, pointer);
    return found.length > 0 ? found : [[pointer, { role: speaker, ...value }]];
  }
  return placeMessages(value, pointer);
}
