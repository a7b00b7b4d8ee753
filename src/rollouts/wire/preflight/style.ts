import type { RowRole } from "./trainer-row.js";

/** How a trainer writes messages. */
export interface MessageStyle {
  /** The names of the fields of role and content, the usual pair first. */
  readonly keys: readonly (readonly [role: string, content: string])[];
  readonly roles: Readonly<Record<string, RowRole>>;
  /** What the arguments of calls are. */
  readonly args: "object" | "text" | "any";
  /** Whether content may be a list of parts even if the row has no pictures. */
  readonly takesParts: boolean;
  /** What nulls do: chat templates print them, the trainer removes them, or its interface rejects them. */
  readonly nulls: "printed" | "removed" | "rejected";
  /** Whether calls have ids, and results refer to them. */
  readonly needsCallIds: boolean;
  /** Fields of a message that say whether it is learned, and the values that they take. */
  readonly masks: Readonly<Record<string, readonly unknown[]>>;
  /** The fields that a message may have. Undefined: others are ignored. */
  readonly fields?: readonly string[];
  /** Whether a conversation must end in an assistant message. */
  readonly endsInAnswer: boolean;
  /** Whether the user's side and the model's must alternate. */
  readonly alternates: boolean;
}

/** The messages of OpenAI's chat format, as chat templates take them. */
export const CHAT_STYLE: MessageStyle = {
  keys: [["role", "content"]],
  roles: {
    system: "system",
    developer: "system",
    user: "user",
    assistant: "assistant",
    tool: "tool",
  },
  args: "object",
  takesParts: false,
  nulls: "printed",
  needsCallIds: false,
  masks: {},
  endsInAnswer: false,
  alternates: false,
};
