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

/**
 * Up to the opening brace. Names and what follows them have limits, so that a large file takes no more than linear
 * time.
 */
const TYPESCRIPT =
  /\b(?:interface|class|type)\s+([A-Z]\w{0,99})\b[^{};]{0,300}\{|\b(?:const|let)\s+([A-Za-z]\w{0,99}?)(?:Schema)?\b[^={};]{0,300}=\s*z\s*\.\s*\w{0,99}[oO]bject\s*\(\s*\{/g;

/** Comments, and strings: what looks like a comment or a brace in these is none. */
const COMMENT_OR_STRING =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.){0,999}"|'(?:[^'\\\n]|\\.){0,999}'|`[^`]*`/g;

/** A member, from its line or the separator before it. */
const MEMBER =
  /[^\S\n]*(?:(?:readonly|public)[^\S\n]+)?["']?([A-Za-z_$][\w$]*)["']?[^\S\n]*[?!]?[^\S\n]*:/y;

interface OpenedType {
  readonly name: string;
  readonly fields: string[];
}

function readTypeScript(source: string): DeclaredType[] {
  const text = source.replaceAll(COMMENT_OR_STRING, (found) =>
    // Names of members may be quoted.
    /^(["'])\w+\1$/.test(found) ? found : " ",
  );
  const declared = new Map<number, OpenedType>();
  for (const { index, 0: header, 1: type, 2: object } of text.matchAll(TYPESCRIPT)) {
    declared.set(index + header.length - 1, { name: type ?? object ?? "", fields: [] });
  }
  if (declared.size === 0) return [];
  // The bracket that is open, and those around it: a type, or undefined.
  const open: (OpenedType | undefined)[] = [];
  for (const { index, 0: mark } of text.matchAll(/[{([\])},;\n]/g)) {
    if ("{([".includes(mark)) open.push(declared.get(index));
    else if ("})]".includes(mark)) open.pop();
    if (!"{,;\n".includes(mark)) continue;
    MEMBER.lastIndex = index + 1;
    const [, field] = open.at(-1) === undefined ? [] : (MEMBER.exec(text) ?? []);
    if (field !== undefined) open.at(-1)?.fields.push(field);
  }
  return [...declared.values()].filter(({ fields }) => fields.length > 0);
}

function readPython(source: string): DeclaredType[] {
  const types: OpenedType[] = [];
  let body: { readonly type: OpenedType; indent?: string } | undefined;
  // Docstrings have lines that look like fields.
  for (const line of source.replaceAll(/("""|''')[\s\S]*?\1/g, "").split("\n")) {
    const [, name] = /^class[ \t]+([A-Z]\w*)/.exec(line) ?? [];
    if (name !== undefined) {
      body = { type: { name, fields: [] } };
      types.push(body.type);
    } else if (/^[^\s#)]/.test(line)) body = undefined;
    const [, indent, field] = /^([ \t]+)(?:([A-Za-z_]\w*)[ \t]*:|\S)/.exec(line) ?? [];
    if (body === undefined || indent === undefined) continue;
    body.indent ??= indent;
    if (field !== undefined && indent === body.indent) body.type.fields.push(field);
  }
  return types.filter(({ fields }) => fields.length > 0);
}
