import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { toReadError } from "../../base/files/source.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../base/json/value.js";
import { UserError } from "../../base/user-error.js";
import { ChatTemplate, type ChatTemplateSource } from "../wire/preflight/chat-template.js";
import { type CountTokens, findLengthFaults } from "../wire/preflight/lengths.js";
import type { AidFiles } from "../wire/validation/check-block.js";
import type { RowAid } from "../wire/validation/trainer-rows.js";

/**
 * Loads what a chat template and a tokenizer tell of rows; each file once in a thread. Throws UserError (exit 3) if a file
 * cannot be read, or is none.
 */
export function loadAids(files: AidFiles): Promise<readonly RowAid[]> {
  const key = JSON.stringify(files);
  const known = loaded.get(key) ?? load(files);
  loaded.set(key, known);
  return known;
}

const loaded = new Map<string, Promise<readonly RowAid[]>>();

async function load({ chatTemplate, tokenizer, maxTokens }: AidFiles): Promise<RowAid[]> {
  const template = chatTemplate === undefined ? undefined : await loadTemplate(chatTemplate);
  const aids: RowAid[] = template === undefined ? [] : [(row) => template.findFaults(row)];
  if (tokenizer === undefined || maxTokens === undefined) return aids;
  const count = await loadTokenizer(tokenizer, template !== undefined);
  return [...aids, (row) => findLengthFaults(row, { maxTokens, count, template })];
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw toReadError(file, error);
  }
}

/** A Jinja file, or the `chat_template` in a `tokenizer_config.json`. */
async function loadTemplate(file: string): Promise<ChatTemplate> {
  const text = await read(file);
  const config = tryParseJson(text);
  const source = isJsonObject(config) ? readConfig(config) : { text, tokens: {} };
  if (source === undefined) throw new UserError(`${file}: has no chat_template`);
  try {
    return new ChatTemplate(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${file}: is no chat template: ${reason}`);
  }
}

function readConfig(config: JsonObject): ChatTemplateSource | undefined {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    const token = isJsonObject(value) ? value.content : value;
    if (name.endsWith("_token") && typeof token === "string") tokens[name] = token;
  }
  const { chat_template: given } = config;
  if (typeof given === "string") return { text: given, tokens };
  const named: readonly unknown[] = Array.isArray(given) ? given : [];
  const find = (name: string): string | undefined => {
    const each = named.filter(isJsonObject).find((template) => template.name === name);
    return typeof each?.template === "string" ? each.template : undefined;
  };
  const text = find("default");
  return text === undefined ? undefined : { text, toolText: find("tool_use"), tokens };
}

/** A chat template prints the tokens that begin a text; without one, the tokenizer adds them. */
async function loadTokenizer(file: string, isTemplated: boolean): Promise<CountTokens> {
  const value = tryParseJson(await read(file));
  try {
    if (!isJsonObject(value)) throw new TypeError("it is no JSON object");
    const tokenizer = new Tokenizer(value, {});
    return (text) => tokenizer.encode(text, { add_special_tokens: !isTemplated }).ids.length;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${file}: is no tokenizer.json: ${reason}`);
  }
}
