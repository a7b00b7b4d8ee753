/**
 * Indents and separates the members of type declarations, each on a line of its own, as json-schema-to-typescript prints
 * them. A formatter would be as large as all other generators together.
 */
export function layOutTypes(code: string): string {
  /** The lines of the brackets that are open. */
  const open: number[] = [];
  let isComment = false;
  const lines = code.split("\n").map((line, number) => {
    const text = line.trim();
    if (text === "") return "";
    isComment ||= text.startsWith("/*");
    if (isComment) {
      isComment = !text.endsWith("*/");
      return `${indentOf(open)}${text.startsWith("*") ? " " : ""}${text}`;
    }
    // Brackets in texts are none.
    const marks = text.replaceAll(STRINGS, "");
    const [first = ""] = /^[}\])]*/.exec(marks) ?? [];
    // A line that begins with the end of a bracket stands, and goes on, where that bracket was opened.
    const start = open.at(-first.length || open.length) ?? number;
    open.length = Math.max(0, open.length - first.length);
    const indent = indentOf(open.filter((each) => each < start));
    for (const mark of marks.slice(first.length).match(/[{[()\]}]/g) ?? []) {
      if ("{[(".includes(mark)) open.push(start);
      else open.pop();
    }
    const isEnded = !/[{[(|&,;=]$/.test(marks) && (open.length > 0 || marks !== "}");
    return `${indent}${text}${isEnded ? ";" : ""}`;
  });
  return withoutParentheses(lines.join("\n"));
}

const INDENT = "  ";

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** One step for each line that opened brackets, however many. */
function indentOf(open: readonly number[]): string {
  return INDENT.repeat(new Set(open).size);
}

const TOKENS = new RegExp(`/\\*[^]*?\\*/|${STRINGS.source}|[()]`, "g");

/** `a: (A | B);` without the parentheses, which nothing needs, on however many lines. */
function withoutParentheses(code: string): string {
  const open: number[] = [];
  const dropped = new Set<number>();
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    if (token === "(") open.push(index);
    const start = token === ")" ? open.pop() : undefined;
    if (start === undefined || code[index + 1] !== ";") continue;
    if (/[:=] $/.test(code.slice(start - 2, start))) dropped.add(start).add(index);
  }
  return code
    .split("")
    .filter((_, index) => !dropped.has(index))
    .join("");
}
