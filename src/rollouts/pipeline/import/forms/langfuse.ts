import type { JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { withoutText } from "../parse-log.js";
import type { RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type CallAttributes,
  findFunction,
  INSTRUCTIONS,
  readCallAttributes,
} from "./call-attributes.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { isMessageList } from "./message-list.js";
import { readAnswer, readGiven, toKnownMessages, withFields } from "./observed-messages.js";
import { toTools } from "./tool-definitions.js";

/** Generations of Langfuse: observations with the messages in `input` and the answer in `output`. */
export const langfuse: Form = {
  id: "langfuse",
  purpose: "generations of Langfuse",
  unit: "generation",
  files: packed("**/*.langfuse.jsonl"),
  options: [],
  recognise: (sample) =>
    sample.some(
      (each) =>
        isTrace(each) ||
        (isObservation(each) &&
          (each.type === GENERATION ||
            isMessageList(each.input) ||
            hasKeys(each.input, "messages"))),
    ),
  createReader: (settings, _, sample) => {
    const isTyped = sample.some((each) => isObservation(each) && each.type === GENERATION);
    return createConvertedReader(settings, { id: "langfuse" }, (value) =>
      listObjects(value).flatMap(([at, each]) => {
        if (isTrace(each)) return splitTrace(at, each);
        return [
          isTyped && each.type !== GENERATION ? leaveOut(at, nameOf(each)) : toGeneration(at, each),
        ];
      }),
    );
  },
};

const GENERATION = "GENERATION";

/** Tells whether a value is a part of a trace: a generation, or what happened around it. */
const isObservation = (value: unknown): value is JsonObject =>
  hasKeys(value, "input", "output") && (hasKeys(value, "traceId") || hasKeys(value, "trace_id"));

/** Tells whether a value is a trace with its observations, as the API gives it. */
function isTrace(value: unknown): boolean {
  return hasKeys(value, "observations") && listObjects(value.observations).some(isGeneration);
}

const isGeneration = ([, { type }]: readonly [string, JsonObject]): boolean => type === GENERATION;

/** The generations of a trace. Each has the messages so far in its input. */
function splitTrace(at: string, { observations, trace }: JsonObject): RecordPart[] {
  const all = listObjects(observations, `${at}/observations`);
  const generations = all.filter(isGeneration);
  const calls = generations.filter(([, { metadata }]) => findFunction(metadata) === undefined);
  const read = calls.length > 0 ? calls : generations;
  const tally = new Tally();
  for (const each of all) {
    const [place, observation] = each;
    if (!read.includes(each)) tally.skip(`${place}/${nameOf(observation)}`, observation);
  }
  skipRest(trace, `${at}/trace`, ["id"], tally);
  const parts = read.map(([place, each]) => toGeneration(place, each));
  const [first] = parts;
  first?.tally?.add(tally);
  return parts;
}

const nameOf = ({ type, metadata }: JsonObject): string => findFunction(metadata) ?? String(type);

/** An observation without a conversation of its own, such as one around calls of a model. */
function leaveOut(pointer: string, name: string): RecordPart {
  const message = `is ${previewValue(name)}: only calls of a model, which are generations, have whole conversations`;
  return toPart({ pointer, messages: [], leftOut: { id: "no-generation", pointer: "", message } });
}

function toGeneration(pointer: string, observation: JsonObject): RecordPart {
  const { id, scores, traceId, trace_id: trace = traceId, ...others } = observation;
  const { input: wholeInput, output: wholeOutput, ...fields } = others;
  const called = findFunction(fields.metadata);
  if (called !== undefined) return leaveOut(pointer, called);
  const [input, output] = [wholeInput, wholeOutput].map(withoutText);
  const tally = new Tally();
  const attributes = readCallAttributes(fields.metadata, `${pointer}/metadata`, tally);
  const asked = readGiven(input, `${pointer}/input`, tally);
  const answer = readAnswer(output, `${pointer}/output`, tally);
  const given = [
    ...toInstructions(attributes, asked.messages, { pointer, tally }),
    ...(answer.given ?? []),
    ...asked.messages,
  ];
  const said = { finish_reason: attributes.finishReason, reasoning: attributes.reasoning };
  const own = listObjects(scores, `${pointer}/scores`);
  const named = own.map(([, score]) => [String(score.name), score.value]);
  const [only] = own;
  return toPart({
    ...{ pointer, given: given.length, session: id },
    messages: [...given, ...withFields(answer.messages, said)],
    tools: toTools(asked.tools ?? answer.tools) ?? attributes.tools,
    reward:
      only && own.length === 1 ? { pointer: `${only[0]}/value`, value: only[1].value } : undefined,
    fields: { ...Object.fromEntries(named), ...fields, traceId: trace },
    tally,
  });
}

/** Instructions in an attribute are the system prompt. If the messages have one, as Langfuse itself adds it, they are counted. */
function toInstructions(
  { instructions }: CallAttributes,
  messages: readonly ConvertedMessage[],
  { pointer, tally }: { readonly pointer: string; readonly tally: Tally },
): ConvertedMessage[] {
  const told = withoutText(instructions);
  if (told === undefined) return [];
  const isGiven = messages.some(([, { role }]) => role === "system");
  if (isGiven) tally.skip(`${pointer}/metadata/attributes/${INSTRUCTIONS}`, told);
  const parts = Array.isArray(told) ? told : [told];
  return isGiven ? [] : toKnownMessages([`${pointer}/metadata`, { role: "system", parts }]);
}
