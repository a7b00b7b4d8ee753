import { commandLine } from "./detectors/command-line.js";
import type { Span } from "./detectors/detector.js";
import { classifyFieldName } from "./field-names.js";
import { PLACEHOLDER } from "./redact.js";

/** What the other elements of a list say about an element. */
export interface Hint {
  /** The name that it is the value of. */
  readonly name?: string;
  /** The part of it that is a secret. */
  readonly span?: Span;
}

/** An argument that names the next one. */
const OPTION = /^--?([A-Za-z][\w.-]{2,60})$/;

/**
 * Reads consecutive elements of a list as the arguments of a command; elements that are not texts are given as "".
 * With `isPair`, the list has only two elements, and the first names a secret. The hints have the indexes of their
 * elements.
 */
export function findHints(texts: readonly string[], isPair: boolean): ReadonlyMap<number, Hint> {
  const hints = new Map<number, Hint>();
  const [name = "", value = ""] = texts;
  if (isPair && isPairValue(value)) hints.set(1, { name });
  if (!texts.some((text) => text.startsWith("-"))) return hints;
  for (const [index, text] of texts.entries()) {
    const [, option] = OPTION.exec(texts[index - 1] ?? "") ?? [];
    if (option !== undefined && !text.startsWith("-")) hints.set(index, { name: option });
  }
  let [start, next] = [0, 0];
  const spans = commandLine.find(texts.join(" "));
  for (const [index, text] of texts.entries()) {
    const end = start + text.length;
    while ((spans[next]?.start ?? end) < start) next += 1;
    const span = spans[next];
    if (span !== undefined && span.end <= end) {
      hints.set(index, { span: { start: span.start - start, end: span.end - start } });
    }
    start = end + 1;
  }
  return hints;
}

/**
 * Tells whether the second of two texts in a list may be the value that the first one names. Two names, such as
 * `["password", "username"]`, are no pair, nor is what redaction has left.
 */
function isPairValue(text: string): boolean {
  if (PLACEHOLDER.test(text)) return false;
  const isName = /^[A-Za-z][A-Za-z_-]*$/.test(text) && !/[a-z][A-Z].*[a-z][A-Z]/.test(text);
  return !isName && !/\s/.test(text) && classifyFieldName(text) === undefined;
}
