import { lexer } from "marked";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatCount } from "../../text.js";
import { Markdown } from "./markdown.js";

/** How texts are shown. */
export const TEXT_MODES = ["text", "markdown", "raw"] as const;
export type TextMode = (typeof TEXT_MODES)[number];

/** A part of a text that stands out. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** What is said of it. */
  readonly title: string;
}

/** Longer texts are cut until the reader wants all of them. */
const MAX_LENGTH = 2_000;
const MAX_LINES = 40;
/** Longer texts are shown as text: Markdown takes time and has no use there. */
const MAX_MARKDOWN = 100_000;

interface TextViewProps {
  readonly text: string;
  readonly mode?: TextMode;
  readonly marks?: readonly Mark[];
}

/** A text of a record. It is never read as HTML, and what a browser would hide or turn around is escaped. */
export function TextView({ text, mode = "text", marks = [] }: TextViewProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const end = isWhole ? text.length : findCut(text);
  const shown = text.slice(0, end);
  const isMarkdown = mode === "markdown" && marks.length === 0 && shown.length <= MAX_MARKDOWN;
  return (
    <>
      {isMarkdown ? (
        <Markdown tokens={lexer(showControls(shown))} />
      ) : (
        <pre class="text">{markText(shown, marks)}</pre>
      )}
      {end < text.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length, "character")}
        </button>
      )}
    </>
  );
}

function findCut(text: string): number {
  const lines = text.slice(0, MAX_LENGTH).split("\n", MAX_LINES + 1);
  const end = lines.slice(0, MAX_LINES).join("\n").length;
  // A little more is not worth a button.
  return text.length - end < MAX_LENGTH / 4 && lines.length <= MAX_LINES ? text.length : end;
}

function markText(text: string, marks: readonly Mark[]): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const { start, end, title } of marks) {
    if (start < at || start >= text.length) continue;
    parts.push(
      showControls(text.slice(at, start)),
      <mark key={start} title={title}>
        {showControls(text.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  return [...parts, showControls(text.slice(at))];
}

/** Controls, marks that change the direction of writing, and halves of characters. Joiners stay: scripts need them. */
const HIDDEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text with `\u202e` and the like in place of characters that have an effect but no shape. */
export function showControls(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

/** Most characters of an id: longer ones would bury what follows. */
const MAX_ID = 200;

export function cutId(id: string): string {
  return showControls(id.length <= MAX_ID ? id : `${id.slice(0, MAX_ID)}…`);
}
