import { resolvePointer, toPointerToken } from "../../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../../base/json/value.js";
import { roleOf } from "../../conversation/dialects.js";
import { fromLangChain } from "../../conversation/langchain.js";
import { toRewardNumber } from "../../verdicts/rewards.js";
import { isConversation, isMessage, isMessageList } from "../message-list.js";
import { type FieldMap, GROUP_BY_TASK } from "./field-map.js";

/** Where rows usually hold their conversation, the likeliest place first. */
const CONVERSATIONS = [
  "messages",
  "conversations",
  "conversation",
  "trajectory",
  "history",
  "chat",
];

/** Where the answer stands beside messages that a model was given: whole responses, messages, or texts. */
const ANSWERS = ["response", "completion", "output"].flatMap((key) => [
  `/${key}/choices/0/message`,
  `/${key}/message`,
  `/${key}`,
]);
const SYSTEMS = ["/system", "/system_prompt"];
const TOOLS = ["/tools", "/functions", "/tool_defs", "/available_tools"];
const REWARDS = [
  "reward",
  "score",
  "resolved",
  "success",
  "passed",
  "correct",
  "is_correct",
  "label",
];
/** Fields that the rows of one rollout share, and no others. */
const GROUPS = [
  ...["/instance_id", "/task_id", "/problem_id", "/prompt_id", "/example_id", "/question_id"],
  ...["/group_id", "/group"],
];
const SESSIONS = ["/session_id", "/trajectory_id", "/traj_id", "/run_id"];
const ID = "/id";

/** The places of a row's conversation; undefined if there is none, or if several are equally likely. */
export function findConversation(row: JsonObject): FieldMap | undefined {
  const known = CONVERSATIONS.find((key) => isConversation(row[key]));
  if (known !== undefined) return withAnswer(row, `/${known}`);
  if (isSpoken(row.prompt) && isSpoken(row.completion)) {
    return { prompt: ["/prompt"], completion: ["/completion"] };
  }
  const lists = listKeys(row).filter(([, value]) => isMessageList(value));
  const inner = listKeys(row).flatMap(([pointer, value]) =>
    isJsonObject(value) ? listKeys(value, pointer).filter(([, each]) => isMessageList(each)) : [],
  );
  const [found, ...others] = lists.length > 0 ? lists : inner;
  return found === undefined || others.length > 0 ? undefined : withAnswer(row, found[0]);
}

/** The places of messages, and of the answer to them if it is none of them. */
function withAnswer(row: JsonObject, messages: string): FieldMap {
  const list = resolvePointer(row, messages);
  const last: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  const isOpen = isMessage(last) && roleOf(fromLangChain(last)) !== "assistant";
  const answer = isOpen
    ? ANSWERS.find((place) => place !== messages && isAnswer(resolvePointer(row, place)))
    : undefined;
  return answer === undefined
    ? { messages: [messages] }
    : { prompt: [messages], completion: [answer] };
}

const isAnswer = (value: unknown): boolean =>
  isMessage(value) || (typeof value === "string" && value !== "");

function listKeys(owner: JsonObject, at = ""): [pointer: string, value: unknown][] {
  return Object.entries(owner).map(([key, value]) => [`${at}/${toPointerToken(key)}`, value]);
}

function isSpoken(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || isConversation(value);
}

/** A map of a row by its structure: its conversation, and what usually is beside it. */
export function findMap(row: JsonObject, passValue: string | undefined): FieldMap {
  const reward = REWARDS.filter((key) => toRewardNumber(row[key], passValue) !== undefined);
  const conversation = findConversation(row);
  const [found = ""] = conversation?.messages ?? conversation?.prompt ?? [];
  const owner = found.slice(0, found.lastIndexOf("/"));
  // Beside the messages, or at the top.
  const listPlaces = (names: readonly string[]): string[] =>
    [...new Set(["", owner].flatMap((at) => names.map((name) => `${at}${name}`)))].filter(
      (place) => resolvePointer(row, place) !== undefined,
    );
  return {
    ...conversation,
    system: listPlaces(SYSTEMS),
    tools: listPlaces(TOOLS),
    ...(reward.length > 0 && { reward: reward.map((key) => `/${key}`) }),
    session: SESSIONS,
  };
}

/** The places of the group: fields that name one, an id that repeats in the first rows, else the task. */
export function findGroups(sample: readonly unknown[]): readonly string[] {
  const ids = sample.map((row) => resolvePointer(row, ID)).filter((id) => id !== undefined);
  const repeats = new Set(ids).size < ids.length;
  return [...GROUPS, ...(repeats ? [ID] : []), GROUP_BY_TASK];
}
