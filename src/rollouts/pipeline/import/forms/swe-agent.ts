import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
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

/**
 * Trajectories of SWE-agent (`.traj`, with the conversation in `history`) and of mini-swe-agent (`.traj.json`), and rows of
 * SWE-agent whose messages have `role` and `text`. Verdicts of an evaluation are in other files: `--reward-file`.
 */
export const sweAgent: Form = {
  id: "swe-agent",
  purpose: "trajectories of SWE-agent and mini-swe-agent",
  unit: "trajectory",
  files: [...packed("**/*.traj"), ...packed("**/*.traj.json")],
  options: [],
  recognise: ([first]) => isMini(first) || isTrajectory(first) || isRow(first),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "swe-agent", groupedBy: "/instance_id" }, (value) =>
      listObjects(value).map(([at, each]) => convert(at, each)),
    ),
};

const isMini = (value: unknown): boolean =>
  hasKeys(value, "messages", "trajectory_format", "info") ||
  (hasKeys(value, "messages", "info") && hasKeys(value.info, "exit_status", "submission"));

const isTrajectory = (value: unknown): boolean => hasKeys(value, "history", "trajectory", "info");

function isRow(value: unknown): boolean {
  if (!hasKeys(value, "trajectory", "instance_id") || !Array.isArray(value.trajectory))
    return false;
  const [first]: readonly unknown[] = value.trajectory;
  return hasKeys(first, "role", "text");
}

function convert(pointer: string, record: JsonObject): RecordPart {
  const { messages: own, history, trajectory, instance_id: id, target, info, ...fields } = record;
  const exit = isJsonObject(info) ? info.exit_status : undefined;
  const status = exit === undefined ? {} : { exit_status: exit };
  const base = { pointer, group: id, fields: { ...fields, ...status, info } };
  if (isRow(record)) {
    const list = placeMessages(trajectory, `${pointer}/trajectory`);
    const reward =
      target === undefined ? undefined : { pointer: `${pointer}/target`, value: target };
    return toPart({ ...base, reward, messages: list.map(([at, each]) => [at, toText(each)]) });
  }
  if (isTrajectory(record)) {
    const list = placeMessages(history, `${pointer}/history`).map(toHistory);
    const tally = new Tally();
    const last = findLastStep(list, listObjects(trajectory, `${pointer}/trajectory`), tally);
    return toPart({ ...base, session: id, messages: [...list, ...last], tally });
  }
  const list = placeMessages(own, `${pointer}/messages`);
  // The last message of version 2 repeats the submission: it is said by nobody.
  const spoken = list.filter(([, message]) => message.role !== EXIT_ROLE);
  const tally = new Tally();
  for (const each of list)
    if (!spoken.includes(each)) tally.skip(`${each[0]}/${EXIT_ROLE}`, each[1]);
  return toPart({ ...base, session: id, messages: spoken, tally });
}

/** What the model said at last, where only the steps have it. What it said before, and the messages lack, is counted. */
function findLastStep(
  history: readonly ConvertedMessage[],
  steps: readonly ConvertedMessage[],
  tally: Tally,
): ConvertedMessage[] {
  const said = JSON.stringify(history.map(([, { content }]) => content));
  return steps.flatMap(([at, step], index): ConvertedMessage[] => {
    const { action, response } = step;
    skipRest(step, at, ["action", "observation", "response", "thought"], tally);
    // A step without an action is the program's: it submits what there is.
    if (typeof response !== "string" || typeof action !== "string" || !action.trim()) return [];
    if (said.includes(quote(response))) return [];
    const isLast = index === steps.length - 1;
    if (!isLast) tally.skip(`${at}/response`, response);
    const calls = history.some(([, message]) => message.tool_calls) ? toCalls(action.trim()) : {};
    return isLast ? [[at, { role: "assistant", content: response, ...calls }]] : [];
  });
}

/** An action as the call that it was, if it is only a name; else as a field, which is counted. */
const toCalls = (action: string): JsonObject =>
  /^\w+$/.test(action)
    ? { tool_calls: [{ function: { name: action, arguments: {} } }] }
    : { action };

/** A text as it stands within JSON. */
const quote = (text: string): string => JSON.stringify(text.trim()).slice(1, -1);

/** A message of SWE-agent's rows: the system prompt is in a field of its own. */
function toText({ role, text, system_prompt: system, ...rest }: JsonObject): JsonObject {
  const content = text ?? (role === "system" ? system : null);
  return { role, content, ...rest };
}

const EXIT_ROLE = "exit";

/** A demonstration was given to the model as a user's message. Thought and action mostly repeat the content and the calls. */
function toHistory([at, message]: ConvertedMessage): ConvertedMessage {
  const { thought, action, agent: _, message_type: __, ...rest } = message;
  const said = JSON.stringify(rest.content ?? "");
  const isRepeated = (text: unknown): boolean =>
    typeof text !== "string" || said.includes(quote(text));
  const hasCalls = Array.isArray(rest.tool_calls) && rest.tool_calls.length > 0;
  const others = {
    ...(!isRepeated(thought) && { thought }),
    ...(!isRepeated(action) && !hasCalls && { action }),
  };
  return [at, { ...rest, ...others }];
}
