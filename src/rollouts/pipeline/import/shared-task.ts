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
 * its own turn. Undefined if there is none.
 */
export function findSharedText(branches: readonly RolloutBranch[]): SharedText | undefined {
  const givens = branches.map(({ context }) => context?.messages ?? []);
  const [first = []] = givens;
  for (const [index, message] of first.entries()) {
    const { role, content } = message;
    if (role === "tool" || content.trim() === "" || !isOnlyText(message)) continue;
    const isShared = givens.every((given) => {
      const other = given[index];
      const isSame = other?.role === role && other.content === content && isOnlyText(other);
      return isSame && given.slice(index + 1).every((each) => each.role !== "assistant");
    });
    if (isShared) return { index, role };
  }
  return undefined;
}

/** Whether a message has nothing that a task cannot hold. */
function isOnlyText({ role: _, content: __, ...rest }: Message): boolean {
  return Object.keys(rest).length === 0;
}

/** Whether a user speaks again after the first message: several users of such a conversation may begin it differently. */
export function isDialogue({ turns = [] }: RolloutBranch): boolean {
  return turns.some(({ role }) => role === "user");
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
