import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { type RecordPart, splitRecords } from "../reader.js";
import { isEmpty as isNothing, Tally } from "../tally.js";
import { type Converted, createConvertedReader, skipRest, toPart } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { isItemList, isResponseItem, toItemMessages } from "./responses-items.js";

/** Where a record has what the model was given and what it wrote. */
interface ResponsesRecord {
  readonly request: JsonObject;
  readonly requestPointer: string;
  readonly output: unknown;
  readonly outputPointer: string;
}

/**
 * Items of OpenAI's Responses API: rows of NeMo Gym (`responses_create_params` and `response`), objects with `input` and
 * `output`, or lists of items.
 */
export const responses: Form = {
  id: "responses",
  purpose: "items of OpenAI's Responses API: rows of NeMo Gym, input and output, or lists of items",
  unit: "row",
  files: packed("**/*.responses.jsonl"),
  options: [],
  recognise: ([first]) => isItemList(first) || findRecord(first) !== undefined,
  createReader: (settings) =>
    createConvertedReader(
      settings,
      { id: "responses", groupedBy: "the task's index or id" },
      split,
    ),
};

/** A list of items is a record of its own. */
function split(value: unknown): RecordPart[] {
  const lists: readonly unknown[] = isItemList(value) ? [value] : Array.isArray(value) ? value : [];
  if (lists.length === 0 || !lists.every(isItemList)) return splitRecords(value).map(convert);
  return lists.map((items, index) => {
    const pointer = items === value ? "" : `/${index}`;
    return toPart({ pointer, messages: toItemMessages(items, pointer) });
  });
}

function findRecord(value: unknown): ResponsesRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { responses_create_params: params, response } = value;
  if (isJsonObject(params) && hasKeys(response, "output")) {
    return {
      ...{ request: params, requestPointer: "/responses_create_params" },
      ...{ output: response.output, outputPointer: "/response/output" },
    };
  }
  const { input, output } = value;
  const list: readonly unknown[] = Array.isArray(output) ? output : [];
  const isItems = list.length > 0 && list.every(isResponseItem);
  if (!isItems || (typeof input !== "string" && !Array.isArray(input))) return undefined;
  return { request: value, requestPointer: "", output, outputPointer: "/output" };
}

/** The last of transitions, as Aviary has them: each begins with all that was said before it. */
function findTransition(output: unknown) {
  const lists: readonly unknown[] = Array.isArray(output) ? output : [];
  const items: unknown = lists.at(-1);
  if (!Array.isArray(items) || !items.every(isJsonObject)) return undefined;
  const whole = items.map(toKnown);
  const isBegun = (list: unknown): boolean =>
    Array.isArray(list) && list.every((item, index) => toKnown(item) === whole[index]);
  return lists.every(isBegun) ? { items, at: `/${lists.length - 1}` } : undefined;
}

/** What an item says. */
const toKnown = (item: unknown): string =>
  isJsonObject(item) ? JSON.stringify({ ...item, id: null, status: null }) : "";

function convert({ value, pointer }: RecordPart): RecordPart {
  const found = findRecord(value);
  if (found === undefined) {
    const message = "has no items of the Responses API: no input and output";
    return toPart({ pointer, messages: [], fault: { id: "responses", pointer, message } });
  }
  const { request, requestPointer, output, outputPointer } = found;
  const at = `${pointer}${requestPointer}`;
  const { instructions, temperature, metadata } = request;
  const isEmpty = Array.isArray(request.input) && request.input.length === 0;
  const problem = isEmpty && isJsonObject(metadata) ? metadata.problem_statement : undefined;
  // An agent that builds its own prompt is given the problem beside an empty input.
  const [input, inputPointer] =
    typeof problem === "string"
      ? [problem, "metadata/problem_statement"]
      : [request.input, "input"];
  const tally = new Tally();
  const isRow = requestPointer !== "";
  if (isRow) skipRest(request, at, ["instructions", "input", "tools", "temperature"], tally);
  const response = isRow && isJsonObject(value.response) ? value.response : {};
  // A response repeats the tools of its request, which agents that build their own leave out.
  const isToldLate = isNothing(request.tools) && !isNothing(response.tools);
  const read = ["output", "id", "object", ...(isToldLate ? ["tools"] : [])];
  skipRest(response, `${pointer}/response`, read, tally);
  const system = typeof instructions === "string" && instructions !== "";
  const given = [
    ...(system ? [[`${at}/instructions`, { role: "system", content: instructions }] as const] : []),
    ...toItemMessages(input, `${at}/${inputPointer}`),
  ];
  const { responses_create_params: _, response: __, ...others } = value;
  const { input: ___, output: ____, instructions: _____, tools: ______, ...plain } = others;
  const fields = isRow ? others : plain;
  const last = isEmpty ? findTransition(output) : undefined;
  const said = toItemMessages(last?.items ?? output, `${pointer}${outputPointer}${last?.at ?? ""}`);
  const converted: Converted = {
    ...{ pointer, temperature, fields, tally, tools: isToldLate ? response.tools : request.tools },
    ...(last ? { messages: said } : { given: given.length, messages: [...given, ...said] }),
    group: fields._ng_task_index ?? fields.task_id ?? fields.id,
    ...(fields.reward !== undefined && {
      reward: { pointer: `${pointer}/reward`, value: fields.reward },
    }),
  };
  return toPart(converted);
}
