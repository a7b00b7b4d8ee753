import type { ComponentChildren, JSX } from "preact";
import type { Message, MessageToolCall } from "#generated/index.js";
import { isJsonObject } from "../../../../base/json/value.js";
import {
  type Mark,
  showControls,
  type TextMode,
  TextView,
} from "../../../../base/page/app/text-view.js";

/** Kinds of content that the reader may hide. */
export const KINDS = ["system", "user", "assistant", "reasoning", "call", "result"] as const;
export type Kind = (typeof KINDS)[number];

/** How messages are shown. */
export interface MessageStyle {
  readonly mode: TextMode;
  readonly hidden: ReadonlySet<Kind>;
}

interface MessageViewProps extends MessageStyle {
  readonly message: Message;
  readonly marks?: readonly Mark[] | undefined;
  /** In place of the content, such as the same with its differences marked. */
  readonly content?: ComponentChildren;
  /** Whether calls and results are open from the start. */
  readonly open?: boolean;
}

/** A message: what it says and thinks, its calls, or the result of one. */
export function MessageView(props: MessageViewProps): JSX.Element | null {
  const { message, mode, hidden, marks, content, open = false } = props;
  const { role, reasoning_content: thought = "", tool_calls: calls = [], name } = message;
  if (hidden.has(kindOf(message))) return null;
  if (mode === "raw") {
    return (
      <Frame message={message}>
        <TextView text={JSON.stringify(message, undefined, 2)} />
      </Frame>
    );
  }
  const body = content ?? <TextView text={message.content} mode={mode} {...(marks && { marks })} />;
  return (
    <Frame message={message}>
      {thought !== "" && !hidden.has("reasoning") && (
        <details>
          <summary>
            reasoning <span class="folded">{firstLine(thought)}</span>
          </summary>
          <TextView text={thought} mode={mode} />
        </details>
      )}
      {role === "tool" ? (
        <details open={open}>
          <summary>
            result{name === undefined ? "" : ` of ${showControls(name)}`}{" "}
            <span class="folded">{firstLine(message.content)}</span>
          </summary>
          {body}
        </details>
      ) : (
        (message.content !== "" || calls.length === 0) && body
      )}
      {!hidden.has("call") &&
        calls.map((call) => <CallView key={call.id} call={call} open={open} />)}
    </Frame>
  );
}

function kindOf({ role }: Message): Kind {
  if (role === "tool") return "result";
  return role === "developer" ? "system" : role;
}

function Frame({
  message: { role },
  children,
}: {
  readonly message: Message;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`message ${role}`}>
      <p class="role">{role}</p>
      {children}
    </div>
  );
}

interface CallViewProps {
  readonly call: MessageToolCall;
  readonly open: boolean;
}

function CallView({ call, open }: CallViewProps): JSX.Element {
  const { name, arguments: given } = call.function;
  const text = isJsonObject(given) ? JSON.stringify(given, undefined, 2) : String(given);
  const short = isJsonObject(given) ? JSON.stringify(given) : text;
  return (
    <details open={open}>
      <summary>
        call <b>{showControls(name)}</b> <span class="folded">{firstLine(short)}</span>
      </summary>
      <TextView text={text} />
    </details>
  );
}

/** Most characters of a text that is folded to a line. */
const FOLDED = 100;

function firstLine(text: string): string {
  const line =
    text
      .slice(0, 2 * FOLDED)
      .trim()
      .split("\n", 1)[0] ?? "";
  const isCut = line.length < text.trim().length || line.length > FOLDED;
  return showControls(isCut ? `${line.slice(0, FOLDED)}…` : line);
}
