/** A record type that source code declares, with its fields. */
export interface DeclaredType {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Whether a file is source code in a language whose types are recognised. */
export function isSourceCode(path: string): boolean {
  return /\.([cm]?[jt]s|[jt]sx|py)$/.test(path);
}

/**
 * The types that a text in TypeScript or Python declares: interfaces, type literals, classes, Zod objects, dataclasses
 * and typed dictionaries. It is read by its layout, not parsed: unusual code may be overlooked.
 */
export function readDeclaredTypes(path: string, text: string): DeclaredType[] {
  return path.endsWith(".py") ? readPython(text) : readTypeScript(text);
}

const TYPESCRIPT =
  /\b(?:interface|class|type)\s+([A-Z]\w*)[^{};]*\{|\b(?:const|let)\s+([A-Za-z]\w*?)(?:Schema)?\b[^={};]*=\s*z\s*\.\s*\w*[oO]bject\s*\(\s*\{/g;

function readTypeScript(source: string): DeclaredType[] {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, "");
  return [...text.matchAll(TYPESCRIPT)].flatMap((match) => {
    const name = match[1] ?? match[2] ?? "";
    const fields = readMembers(text, match.index + match[0].length);
    return fields.length > 0 ? [{ name, fields }] : [];
  });
}

const OPENING = "{([";
const CLOSING = "})]";
const MEMBER = /^\s*(?:readonly\s+|public\s+)?["']?([A-Za-z_$][\w$]*)["']?\s*[?!]?\s*:/;

/** The names of the members from `start`, behind an opening brace, to the closing one. */
function readMembers(text: string, start: number): string[] {
  let depth = 1;
  let member = "";
  const members: string[] = [];
  for (let at = start; at < text.length && depth > 0; at += 1) {
    const character = text.charAt(at);
    if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) depth -= 1;
    if (depth === 1 && ";,\n".includes(character)) {
      members.push(member);
      member = "";
    } else if (depth === 1) member += character;
  }
  members.push(member);
  return members.flatMap((each) => MEMBER.exec(each)?.[1] ?? []);
}

const PYTHON = /^class[ \t]+([A-Z]\w*)[^\n]*:[ \t]*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)*)/gm;

function readPython(text: string): DeclaredType[] {
  return [...`${text}\n`.matchAll(PYTHON)].flatMap(([, name = "", body = ""]) => {
    const indent = /^[ \t]+(?=\S)/m.exec(body)?.[0] ?? "";
    const field = new RegExp(`^${indent}([A-Za-z_]\\w*)[ \\t]*:`, "gm");
    const fields = [...body.matchAll(field)].flatMap(([, each]) => each ?? []);
    return fields.length > 0 ? [{ name, fields }] : [];
  });
}
