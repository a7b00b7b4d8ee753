import type { Message } from "#generated/index.js";
import { type Act, findPartners, nameCalls } from "../../../wire/conversation/pairing.js";
import type { RowMessage } from "./dialects.js";

/** A message of the format, and where its parts are in the row. */
export interface PlacedMessage {
  readonly message: Message;
  /** JSON Pointer to the message in the row. */
  readonly pointer: string;
  readonly contentPointer: string;
  /** For each of its calls, the JSON Pointer into the row. */
  readonly callPointers: readonly string[];
  /** For a tool message: what the tool returned. */
  readonly output: unknown;
  /** For a tool message: whether the tool reports a failure. */
  readonly failed: boolean;
  readonly given?: boolean;
  readonly unplaced?: readonly unknown[];
}

/**
 * Gives every call an id, and every result the id and the name of its call, paired as
 * `findPartners` pairs them.
 */
export function pairMessages(messages: readonly RowMessage[]): PlacedMessage[] {
  const acts = messages.flatMap(toActs);
  const partners = findPartners(acts);
  const ids = nameCalls(acts);
  let at = 0;
  return messages.map(
    ({ role, content, reasoning, calls, callId, name, by: _, ...rest }): PlacedMessage => {
      const asked = role === "tool" ? partners[at++] : undefined;
      const answered = asked === undefined ? undefined : acts[asked];
      const id = (asked === undefined ? undefined : ids[asked]) ?? callId;
      const tool = name ?? answered?.name;
      const message: Message = {
        role,
        content,
        ...(reasoning !== "" && { reasoning_content: reasoning }),
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) => ({
            id: ids[at++] ?? "",
            type: "function",
            function: { name: call.name, arguments: call.args },
          })),
        }),
        ...(id !== undefined && { tool_call_id: id }),
        ...(tool !== undefined && { name: tool }),
      };
      return { message, ...rest, callPointers: calls.map(({ pointer }) => pointer) };
    },
  );
}

/** The result in a message, then its calls. */
export function toActs({ role, callId, name, calls }: RowMessage): Act[] {
  return [
    ...(role === "tool" ? [{ kind: "result", callId, name } as const] : []),
    ...calls.map(({ id, name }) => ({ kind: "call", id, name }) as const),
  ];
}
