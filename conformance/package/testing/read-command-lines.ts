import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../../src/json/value.js";

/** A step of a CI file that runs a command line in bash. */
export interface CommandLine {
  readonly script: string;
  /** As the file has it: `${{ inputs.<name> }}` is not filled in. */
  readonly env: Readonly<Record<string, string>>;
  /** On what it depends whether it is run; always where there is none. */
  readonly condition: string | undefined;
}

/** The steps with `run` of an action or a workflow for GitHub, wherever they stand. */
export function readCommandLines(yaml: string): CommandLine[] {
  return findSteps(parse(yaml));
}

/** Inputs that an action or a workflow declares, each with its default. */
export function readInputs(yaml: string): Readonly<Record<string, string | undefined>> {
  const document: unknown = parse(yaml);
  const call = at(document, "on", "workflow_call") ?? document;
  const inputs = at(call, "inputs");
  if (!isJsonObject(inputs)) throw new TypeError("declares no inputs");
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const value = at(input, "default");
      return [name, value === undefined ? undefined : String(value)];
    }),
  );
}

/** What stands in the code blocks of a Markdown text in a language. */
export function readCodeBlocks(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, name, text = ""]) => (name === language ? [text] : []));
}

/** What lies below some keys of a value; undefined when nothing does. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}

function findSteps(value: unknown): CommandLine[] {
  if (Array.isArray(value)) return value.flatMap(findSteps);
  if (!isJsonObject(value)) return [];
  if (typeof value.run === "string") {
    const condition = value.if === undefined ? undefined : String(value.if);
    return [{ script: value.run, env: toTexts(value.env), condition }];
  }
  return Object.values(value).flatMap(findSteps);
}

function toTexts(env: unknown): Readonly<Record<string, string>> {
  const entries: JsonObject = isJsonObject(env) ? env : {};
  return Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, String(text)]));
}
