import type { Message } from "#generated/index.js";
import type { RowCall } from "./calls.js";
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
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/**
 * Gives every call an id, and every result the id and the name of its call. A result without an id answers the
 * earliest open call, of the same name if it has one. A call without an id gets `call_<n>`, where n is its
 * position among all calls from 0; if the row uses that id elsewhere, `call_<n>_<k>` with the smallest free k.
 */
export function pairMessages(messages: readonly RowMessage[]): PlacedMessage[] {
  const given = new Set(
    messages.flatMap(({ calls, callId }) => [...calls.map(({ id }) => id), callId]),
  );
  let ordinal = 0;
  const open: OpenCall[] = [];
  const nameCall = ({ id, name }: RowCall): string => {
    const known = id ?? freeId(ordinal, given);
    ordinal += 1;
    open.push({ id: known, name });
    return known;
  };
  return messages.map(
    ({ role, content, reasoning, calls, callId, name, ...rest }): PlacedMessage => {
      const answered = role === "tool" ? takeCall(open, callId, name) : undefined;
      const id = callId ?? answered?.id;
      const tool = name ?? answered?.name;
      const message: Message = {
        role,
        content,
        ...(reasoning !== "" && { reasoning_content: reasoning }),
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) => ({
            id: nameCall(call),
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

/** Removes and returns the call that a result answers; undefined if there is none. */
function takeCall(
  open: OpenCall[],
  callId: string | undefined,
  name: string | undefined,
): OpenCall | undefined {
  const at = open.findIndex((call) =>
    callId === undefined ? name === undefined || call.name === name : call.id === callId,
  );
  return at < 0 ? undefined : open.splice(at, 1)[0];
}

function freeId(ordinal: number, given: ReadonlySet<string | undefined>): string {
  const plain = `call_${ordinal}`;
  let id = plain;
  for (let k = 1; given.has(id); k += 1) id = `${plain}_${k}`;
  return id;
}
