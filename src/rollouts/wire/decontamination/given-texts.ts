import type { Message, RolloutBranch, ToolDefinition } from "#generated/index.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject } from "../../../base/json/value.js";

/** A text that a model was given. */
export interface GivenText {
  /** JSON Pointer in its branch. */
  readonly pointer: string;
  /** Who spoke, or what it is, such as `user turn 3`. */
  readonly place: string;
  readonly text: string;
}

/** Texts that are compared together: one message, or all definitions of tools. */
export interface GivenPart {
  /** Equal for equal texts at equal places. */
  readonly key: string;
  readonly texts: readonly GivenText[];
}

/** A part of a branch. */
export interface PlacedPart {
  readonly part: GivenPart;
  /** Index of the first branch that has it. */
  readonly branch: number;
}

/** The task as a part: all branches of a rollout have the same. */
export function taskPart(task: string): GivenPart {
  return toPart([{ pointer: "/task", place: "task", text: task }]);
}

/**
 * Everything that the models of a rollout's branches were given besides the task, each part once: all messages before the
 * task; the descriptions in definitions of tools; and what users, systems and developers said after the task, up to the
 * last turn of the model. Not what tools returned after the task.
 */
export function collectGiven(branches: readonly RolloutBranch[]): PlacedPart[] {
  const parts = new Map<string, PlacedPart>();
  for (const [branch, given] of branches.entries()) {
    for (const part of listGiven(given)) {
      if (!parts.has(part.key)) parts.set(part.key, { part, branch });
    }
  }
  return [...parts.values()];
}

function listGiven({ context, turns = [], task_role: role = "user" }: RolloutBranch): GivenPart[] {
  const { messages = [], tools = [] } = context ?? {};
  const before = messages.map(({ role, content }, index) => ({
    pointer: `/context/messages/${index}/content`,
    place: EARLIER[role],
    text: content,
  }));
  const last = turns.findLastIndex(({ role }) => role === "assistant");
  let users = role === "user" ? 1 : 0;
  const after = turns.slice(0, last + 1).flatMap(({ role, content }, index) => {
    if (role === "user") users += 1;
    if (role === "assistant" || role === "tool") return [];
    const place = role === "user" ? `user turn ${users}` : EARLIER[role];
    return [{ pointer: `/turns/${index}/content`, place, text: content }];
  });
  const spoken = [...before, ...after].filter(({ text }) => text !== "");
  const described = tools.length === 0 ? [] : [describeTools(tools)];
  return [...spoken.map((text) => toPart([text])), ...described].filter(
    ({ texts }) => texts.length > 0,
  );
}

/** Cached, because most branches were offered the same tools. */
let latest: GivenPart | undefined;

function describeTools(tools: readonly ToolDefinition[]): GivenPart {
  const key = JSON.stringify(tools);
  if (latest?.key === key) return latest;
  const texts = tools.flatMap((tool, index) => describeTool(tool, `/context/tools/${index}`));
  latest = { key, texts: texts.filter(({ text }) => text !== "") };
  return latest;
}

/** What a message before the task is called, and one of a system or developer anywhere. */
const EARLIER: Readonly<Record<Message["role"], string>> = {
  system: "system message",
  developer: "developer message",
  user: "earlier user turn",
  assistant: "earlier assistant turn",
  tool: "earlier tool result",
};

/** The descriptions in the definition of a tool, its parameters' included. */
function describeTool(tool: ToolDefinition, pointer: string): GivenText[] {
  const place = `definition of tool ${tool.function.name}`;
  const found: GivenText[] = [];
  const open: [value: unknown, pointer: string][] = [[tool, pointer]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, at] = next;
    const entries = Array.isArray(value)
      ? value.map((item, index): [string, unknown] => [String(index), item])
      : isJsonObject(value)
        ? Object.entries(value)
        : [];
    for (const [name, child] of entries) {
      const where = `${at}/${toPointerToken(name)}`;
      if (name === "description" && typeof child === "string") {
        found.push({ pointer: where, place, text: child });
      } else open.push([child, where]);
    }
  }
  return found;
}

function toPart(texts: readonly GivenText[]): GivenPart {
  return { key: texts.map(({ pointer, text }) => `${pointer} ${text}`).join("\n"), texts };
}
