import type { Message, RolloutBranch } from "#generated/index.js";
import { formatCount } from "../../../base/text.js";
import { toMessages } from "../../wire/conversation/conversation.js";

/** The text that conversations of a rollout share before their users begin in different words. */
export interface SharedText {
  /** Its index among the messages of every branch. */
  readonly index: number;
  readonly role: NonNullable<RolloutBranch["task_role"]>;
}

/**
 * Finds the first text that the branches of a rollout share and that can be their task: every branch has it at the same
 * place before its own task, and between the two its model was given nothing that a model wrote, which would else count as
 * its own turn. Undefined if there is none, or if no user of theirs speaks twice, unless it is known that users are
 * simulated: then the tasks differ. Takes one branch at a time, and no more once it is decided.
 */
export function findSharedText(
  branches: Iterable<RolloutBranch>,
  isSimulated = false,
): SharedText | undefined {
  let shared: (SharedText & { readonly content: string })[] | undefined;
  let isDialogue = isSimulated;
  for (const { context, turns = [] } of branches) {
    const texts = listTexts(context?.messages ?? []);
    shared =
      shared?.filter(({ index, role, content }) =>
        texts.some(
          (each) => each.index === index && each.role === role && each.content === content,
        ),
      ) ?? texts;
    if (shared.length === 0) return undefined;
    isDialogue ||= turns.some(({ role }) => role === "user");
  }
  const [first] = shared ?? [];
  return isDialogue && first ? { index: first.index, role: first.role } : undefined;
}

/** The messages before a task that can take its place. */
function listTexts(given: readonly Message[]): (SharedText & { readonly content: string })[] {
  const last = given.findLastIndex(({ role }) => role === "assistant");
  return given.flatMap((message, index) => {
    const { role, content } = message;
    const isTask = index >= last && role !== "tool" && content.trim() !== "" && isOnlyText(message);
    return isTask ? [{ index, role, content }] : [];
  });
}

/** Whether a message has nothing that a task cannot hold. */
function isOnlyText({ role: _, content: __, ...rest }: Message): boolean {
  return Object.keys(rest).length === 0;
}

/** The branch with that text as its task. What comes before stays in its context, and all that follows are its turns. */
export function withSharedTask(branch: RolloutBranch, { index, role }: SharedText): RolloutBranch {
  const { schema_version, rollout_id, task, context = {}, turns: _, ...rest } = branch;
  const { messages: __, ...others } = context;
  const messages = toMessages(branch);
  const before = messages.slice(0, index);
  const given = { ...others, ...(before.length > 0 && { messages: before }) };
  return {
    ...(schema_version !== undefined && { schema_version }),
    rollout_id,
    task: messages[index]?.content ?? task,
    ...(role !== "user" && { task_role: role }),
    ...rest,
    ...(Object.keys(given).length > 0 && { context: given }),
    turns: messages.slice(index + 1),
  };
}

/** Converts a pointer into such a branch to one into the branch that it was made of. */
export function toFormerPointer(
  pointer: string,
  { index }: Pick<SharedText, "index">,
  { context }: Pick<RolloutBranch, "context">,
): string {
  const [, field, at = "", ...below] = pointer.split("/");
  const before = context?.messages?.length ?? 0;
  const content = field === "task" ? ["content"] : below;
  const place = field === "task" ? index : field === "turns" ? index + 1 + Number(at) : undefined;
  if (place === undefined || Number.isNaN(place)) return pointer;
  if (place === before) return "/task";
  const owner = place < before ? `/context/messages/${place}` : `/turns/${place - before - 1}`;
  return [owner, ...content].join("/");
}

/** A line of a summary for each speaker, given the numbers of rollouts with such a task. */
export function describeSharedTasks(
  counts: ReadonlyMap<SharedText["role"], number>,
): [label: string, text: string][] {
  return [...counts].map(([role, count]) => [
    "task",
    `of ${formatCount(count, "rollout")} whose users begin differently: the first text that all branches share (${role})`,
  ]);
}
