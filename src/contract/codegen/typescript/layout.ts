/**
 * Indents and separates the members of type declarations, each on a line of its own, as json-schema-to-typescript prints
 * them. A formatter would be as large as all other generators together.
 */
export function layOutTypes(code: string): string {
  let depth = 0;
  let isComment = false;
  const lines = code.split("\n").map((line) => {
    const text = line.trim();
    if (text === "") return "";
    isComment ||= text.startsWith("/*");
    if (isComment) {
      isComment = !text.endsWith("*/");
      return `${INDENT.repeat(depth)}${text.startsWith("*") ? " " : ""}${text}`;
    }
    // Brackets in texts are none.
    const marks = text.replaceAll(STRINGS, "");
    const indent = INDENT.repeat(/^[}\])]/.test(marks) ? depth - 1 : depth);
    // What opens several brackets is one step, as is what closes them.
    depth += Math.sign(countIn(marks, /[{[(]/g) - countIn(marks, /[}\])]/g));
    const isEnded = !/[{[(|&,;=]$/.test(marks) && (depth > 0 || !marks.startsWith("}"));
    return indent + (isEnded ? withoutParentheses(`${text};`) : text);
  });
  return lines.join("\n");
}

const INDENT = "  ";

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** `a: (A | B);` without the parentheses, which nothing needs. */
function withoutParentheses(line: string): string {
  const [, start, inner] = /^([^(]*[:=] )\((.*)\);$/.exec(line) ?? [];
  if (start === undefined || inner === undefined) return line;
  let depth = 0;
  for (const mark of inner.replaceAll(STRINGS, "").match(/[()]/g) ?? []) {
    depth += mark === "(" ? 1 : -1;
    if (depth < 0) return line;
  }
  return `${start}${inner};`;
}
