const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * How many colons of a JSON text stand behind the quote of a string. Every key has one, so that there are
 * no fewer than keys; a string that begins with a colon makes one more.
 */
export function countKeyMarks(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTE && !isEscaped(text, before)) count += 1;
  }
  return count;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (index - start) % 2 === 1;
}
