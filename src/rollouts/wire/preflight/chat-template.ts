import { Template } from "@huggingface/jinja";
import type { Severity } from "../../../base/findings/finding.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import { messagesOf } from "./check-row.js";
import {
  fault,
  type PreflightFault,
  type RowMessage,
  type RowPart,
  type TrainerRow,
} from "./trainer-row.js";

/** A chat template as a tokenizer has it. */
export interface ChatTemplateSource {
  /** The Jinja text. */
  readonly text: string;
  /** Another one for rows with tools. */
  readonly toolText?: string | undefined;
  /** The tokens that templates print, such as `bos_token`. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Renders rows as `transformers` does. */
export class ChatTemplate {
  readonly #template: Template;
  readonly #toolTemplate: Template;
  readonly #tokens: Readonly<Record<string, string>>;

  /** Throws SyntaxError, or Error, if a text is no Jinja template. */
  constructor({ text, toolText, tokens }: ChatTemplateSource) {
    // Jinja normalises line breaks; this engine does not.
    const create = (source: string): Template => new Template(source.replaceAll(/\r\n?/g, "\n"));
    this.#template = create(text);
    this.#toolTemplate = toolText === undefined ? this.#template : create(toolText);
    this.#tokens = tokens;
  }

  /** Throws Error with the template's own message. */
  render(messages: readonly RowMessage[], row: TrainerRow, isPrompt = false): string {
    const { chat_template_kwargs: own } = row.value;
    const tools = row.tools?.definitions;
    const template = tools === undefined ? this.#template : this.#toolTemplate;
    const rendered = template.render({
      ...this.#tokens,
      messages: messages.map(toChatMessage),
      tools: tools ?? null,
      documents: null,
      add_generation_prompt: isPrompt,
      ...(isJsonObject(own) && own),
    });
    // Python refuses to join text and an object; this engine prints its class.
    const printed = rendered.includes(JOINED) && !JSON.stringify(row.value).includes(JOINED);
    if (printed)
      throw new TypeError(
        "it joins text and an object: it expects text, such as arguments as JSON text",
      );
    return rendered;
  }

  /** Jinja prints a null as "None" where this engine may fail. */
  #renderNulls(messages: readonly RowMessage[], row: TrainerRow): string {
    try {
      return this.render(messages, row);
    } catch (error) {
      if (!(error instanceof Error) || !/\bnull|NullValue/.test(error.message)) throw error;
      const named = messages.map((message) => ({ ...message, value: nameNulls(message.value) }));
      return this.render(named, row);
    }
  }

  /** Finds conversations of a row that the template refuses, and what it drops without a word. */
  findFaults(row: TrainerRow): PreflightFault[] {
    const parts: readonly RowPart[] = row.sides.length > 0 ? row.sides : [row.prompt ?? NOTHING];
    const faults = parts.flatMap((part) => {
      if (part.messages === undefined) return [];
      const messages = row.sides.length > 0 ? messagesOf(row, part) : [...part.messages];
      let text: string;
      try {
        text = this.#renderNulls(messages, row);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `the chat template fails: ${previewValue(reason)}`;
        return [fault("chat-template", "error", part.pointer, message)];
      }
      return findDropped(text, messages, row);
    });
    return faults.filter(
      ({ message, pointer }, at) =>
        faults.findIndex((each) => each.message === message && each.pointer === pointer) === at,
    );
  }
}

/** How this engine prints an object that a template joins with text. */
const JOINED = "[object Map]";

const NOTHING: RowPart = { name: "", pointer: "", messages: undefined, text: "" };

/** Names for what was thought before an answer, the one that templates read first. */
const THOUGHTS = ["reasoning_content", "thinking", "reasoning"];

/** The message in OpenAI's form, which templates read. As in `transformers`, a thought has all its names. */
function toChatMessage({ value, role, text, calls }: RowMessage): JsonObject {
  if ("role" in value && value.role !== "function_call" && value.role !== "observation") {
    const thought = THOUGHTS.map((name) => value[name]).find((each) => each != null);
    return thought === undefined
      ? value
      : { thinking: thought, ...value, reasoning_content: thought };
  }
  const content = calls.length > 0 ? text.replace(/^[[{][\s\S]*$/, "") : text;
  const functions = calls.map(({ name, args }) => ({
    type: "function",
    function: { name, arguments: args },
  }));
  return { role, content, ...(calls.length > 0 && { tool_calls: functions }) };
}

/**
 * What a rendered text does not contain: texts and calls, in their order, and definitions. Systems may stand anywhere, because
 * some templates move them; what was thought before an answer may be left out.
 */
function findDropped(
  text: string,
  messages: readonly RowMessage[],
  { tools }: TrainerRow,
): PreflightFault[] {
  const found: PreflightFault[] = [];
  const drop = (pointer: string, what: string, severity: Severity = "error"): void => {
    const message = `the chat template drops ${what}: the model never sees it`;
    found.push(fault("template-drops", severity, pointer, message, what));
  };
  let from = 0;
  for (const { role, text: said, calls, pointer, value } of messages) {
    const isCallText = value.role === "function_call" || value.from === "function_call";
    const piece = isCallText ? "" : said.slice(said.lastIndexOf("</think>") + 1).trim();
    const end = findEnd(text, withoutTag(piece), role === "system" ? 0 : from);
    if (end === undefined) drop(pointer, `the text of this ${role} message`);
    else if (role !== "system") from = end;
    for (const call of calls) {
      const after = findEnd(text, call.name, from);
      if (after === undefined) {
        drop(call.pointer, "this call");
        continue;
      }
      const lost = listTexts(call.args).find((each) => findEnd(text, each, 0) === undefined);
      if (lost !== undefined) drop(call.pointer, "an argument of this call");
      from = after;
    }
  }
  for (const [index, definition] of (tools?.definitions ?? []).entries()) {
    const owner = isJsonObject(definition) ? (definition.function ?? definition) : {};
    const name = isJsonObject(owner) ? owner.name : undefined;
    if (typeof name !== "string" || text.includes(name)) continue;
    const pointer = tools?.isText ? tools.pointer : `${tools?.pointer}/${index}`;
    drop(pointer, "this tool definition", "warning");
  }
  return found;
}

/** A message in which nulls in calls are the text that Jinja prints. */
function nameNulls(message: JsonObject): JsonObject {
  const calls = JSON.stringify(message.tool_calls, (_, value) => (value === null ? "None" : value));
  return calls === undefined ? message : { ...message, tool_calls: JSON.parse(calls) };
}

/** Of text after a thought, the part after its closing tag. */
function withoutTag(text: string): string {
  return text.replace(/^\/think>/, "").trim();
}

/** Where a piece ends in a text, as it is or as JSON text; undefined if it is not there. */
function findEnd(text: string, piece: string, from: number): number | undefined {
  for (const form of [piece, JSON.stringify(piece).slice(1, -1)]) {
    const at = text.indexOf(form, from);
    if (at >= 0) return at + form.length;
  }
  return undefined;
}

/** All texts in a value. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isJsonObject(value) ? Object.values(value).flatMap(listTexts) : [];
}
