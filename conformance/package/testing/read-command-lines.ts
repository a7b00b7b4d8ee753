import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../../src/base/json/value.js";

/** A step of a CI file that runs a bash command line. */
export interface CommandLine {
  readonly script: string;
  /** As in the file: `${{ inputs.<name> }}` is not filled in. */
  readonly env: Readonly<Record<string, string>>;
  /** The condition under which it runs; undefined for always. */
  readonly condition: string | undefined;
}

/** The steps with `run` of a GitHub action or workflow, at any depth. */
export function readCommandLines(yaml: string): CommandLine[] {
  return findSteps(parse(yaml));
}

/** The inputs that an action or a workflow declares, with their defaults. */
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

/** The code blocks of a Markdown text in one language. */
export function readCodeBlocks(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, name, text = ""]) => (name === language ? [text] : []));
}

/** The value below some keys; undefined if there is none. */
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
