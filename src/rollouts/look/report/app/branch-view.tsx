import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isJsonObject } from "../../../../base/json/value.js";
import { Place } from "../../../../base/page/app/place.js";
import { type Mark, showControls } from "../../../../base/page/app/text-view.js";
import { formatCount } from "../../../../base/text.js";
import type { BranchView } from "../../rollout-view.js";
import type { PackedRollout } from "../report-data.js";
import { type MessageStyle, MessageView } from "./message-view.js";

/** Score parts that a branch may have. */
const PARTS = ["objective_score", "judge_score", "total_score"];

/** What is known of a branch besides its messages. */
export function BranchHead({
  branch: { branch, turns, verdict },
  packed,
}: {
  readonly branch: BranchView;
  readonly packed: PackedRollout;
}): JSX.Element {
  const place = packed.branches.find(({ value }) => value.branch_index === branch.branch_index);
  const fields: Readonly<Record<string, unknown>> = branch;
  const error = isJsonObject(branch.branch_error) ? branch.branch_error.message : undefined;
  const parts = PARTS.flatMap((name) =>
    typeof fields[name] === "number" ? [`${name} ${fields[name]}`] : [],
  );
  return (
    <header class="branch">
      <h2>
        Branch {branch.branch_index}
        {branch.rank !== undefined && `, rank ${branch.rank}`}
      </h2>
      <p>
        <span class={`verdict ${verdict ?? "none"}`}>{verdict ?? "not verified"}</span>{" "}
        {[...parts, formatCount(turns, "turn"), `temperature ${branch.temperature}`].join(", ")}
      </p>
      {place && (
        <p>
          <Place file={place.file} line={place.line} />
        </p>
      )}
      {typeof error === "string" && <p class="error">failed: {showControls(error)}</p>}
    </header>
  );
}

/** Messages that are shown before the reader wants more. */
const FIRST_MESSAGES = 60;

interface MessagesProps {
  readonly branch: BranchView;
  readonly start: number;
  readonly end?: number;
  readonly style: MessageStyle;
  readonly marks: Marks;
}

/** What is marked in texts, by text. */
export type Marks = ReadonlyMap<string, readonly Mark[]>;

/** The messages of a branch from `start` to before `end`, with what they share with evaluation items marked. */
export function Messages({
  branch: { messages },
  start,
  end = messages.length,
  style,
  marks,
}: MessagesProps): JSX.Element {
  const [most, setMost] = useState(FIRST_MESSAGES);
  const last = Math.min(end, start + most);
  return (
    <>
      {messages.slice(start, last).map((message, index) => (
        <MessageView
          key={start + index}
          message={message}
          marks={marks.get(message.content)}
          {...style}
        />
      ))}
      {last < end && (
        <button type="button" onClick={() => setMost(most + 10 * FIRST_MESSAGES)}>
          Show {Math.min(10 * FIRST_MESSAGES, end - last)} more of{" "}
          {formatCount(end - last, "message")}
        </button>
      )}
    </>
  );
}
