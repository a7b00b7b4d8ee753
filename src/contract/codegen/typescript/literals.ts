import {
  isAnnotation,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../schemas/keywords.js";
import type { SchemaNode } from "../../schemas/nodes.js";

/** A JSON value as an expression. In an object literal, `__proto__` alone would be no key. */
export function printJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return printMembers(Object.entries(value).map(([key, each]) => [printKey(key), printJson(each)]));
}

/** A node as data: without annotations, and with functions that return what it refers to. */
export function printNode(node: SchemaNode): string {
  return printMembers(
    Object.entries(node)
      .filter(([keyword]) => !isAnnotation(keyword))
      .map(([keyword, value]) => [keyword, printKeyword(keyword, value)]),
  );
}

/** The name of a definition as data. */
export function nodeName(definition: string): string {
  return `node${definition}`;
}

function printKeyword(keyword: string, value: unknown): string {
  if (keyword === "$ref") return `() => ${nodeName(String(value))}`;
  if (LIST_APPLICATORS.includes(keyword) && Array.isArray(value)) {
    return `[${value.map(printNode).join(", ")}]`;
  }
  if (typeof value !== "object" || value === null) return printJson(value);
  if (SINGLE_APPLICATORS.includes(keyword)) return printNode(value);
  if (!MAP_APPLICATORS.includes(keyword)) return printJson(value);
  return printMembers(Object.entries(value).map(([key, each]) => [printKey(key), printNode(each)]));
}

function printMembers(members: readonly (readonly [string, string])[]): string {
  if (members.length === 0) return "{}";
  return `{ ${members.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

function printKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : JSON.stringify(key);
}

/** Whether a name can stand behind a dot, and before a colon. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}
