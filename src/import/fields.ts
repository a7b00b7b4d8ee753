import { toPointerToken } from "../json/pointer.js";
import { countKeyMarks } from "../json/tokens.js";
import { MAX_NESTING } from "../json/unexportable.js";
import { isJsonObject, type JsonObject, measureValue } from "../json/value.js";
import { previewValue } from "../text.js";
import type { ImportFault } from "./source.js";

/** Reads the fields of a row, and remembers what is wrong with them. Null counts as absent. */
export class RowFields {
  readonly faults: ImportFault[] = [];

  /** Adds a fault about a field as JSON Schema's `type` would. */
  refuse(pointer: string, must: string, value: unknown): void {
    const message = `must be ${must}, is ${previewValue(value)}`;
    this.faults.push({ id: "type", pointer, message });
  }

  /** A text that has to be there. */
  text(owner: JsonObject, key: string, pointer = ""): string {
    return this.#required(owner, key, pointer)
      ? (this.optionalText(owner, key, pointer) ?? "")
      : "";
  }

  optionalText(owner: JsonObject, key: string, pointer = ""): string | undefined {
    return this.#typed(owner, key, pointer, "a string", isText);
  }

  /** A whole number from 0 that has to be there. */
  index(owner: JsonObject, key: string, pointer = ""): number {
    if (!this.#required(owner, key, pointer)) return 0;
    return this.#typed(owner, key, pointer, "a whole number from 0", isIndex) ?? 0;
  }

  /** A list that has to be there. */
  list(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#required(owner, key, pointer) ? this.optionalList(owner, key, pointer) : [];
  }

  optionalList(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#typed(owner, key, pointer, "an array", Array.isArray) ?? [];
  }

  optionalObject(owner: JsonObject, key: string, pointer = ""): JsonObject | undefined {
    return this.#typed(owner, key, pointer, "an object", isJsonObject);
  }

  optionalNumber(owner: JsonObject, key: string, pointer = ""): number | undefined {
    return this.#typed(owner, key, pointer, "a number", isNumber);
  }

  /** The objects of a list, each with its pointer; anything else in it is a fault. */
  objects(list: readonly unknown[], pointer: string): [at: string, object: JsonObject][] {
    return list.flatMap((each, index): [string, JsonObject][] => {
      const at = `${pointer}/${index}`;
      if (isJsonObject(each)) return [[at, each]];
      this.refuse(at, "an object", each);
      return [];
    });
  }

  #required(owner: JsonObject, key: string, pointer: string): boolean {
    if (own(owner, key) !== undefined) return true;
    this.faults.push({ id: "required", pointer, message: `lacks ${previewValue(key)}` });
    return false;
  }

  #typed<T>(
    owner: JsonObject,
    key: string,
    pointer: string,
    must: string,
    isTyped: (value: unknown) => value is T,
  ): T | undefined {
    const value = own(owner, key);
    if (value === undefined || isTyped(value)) return value;
    this.refuse(`${pointer}/${toPointerToken(key)}`, must, value);
    return undefined;
  }
}

/** What an object itself holds: a name such as `constructor` is no field. */
function own(owner: JsonObject, key: string): unknown {
  return Object.hasOwn(owner, key) ? (owner[key] ?? undefined) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** What a message says. */
export interface MessageContent {
  /** Its text; of a list of parts, that of all text parts, one after the other. */
  readonly text: string;
  /** Whether parts of it are neither text nor reasoning nor calls: an image, say. */
  readonly hasOther: boolean;
}

const NOTHING: MessageContent = { text: "", hasOther: false };

/** Parts that say nothing themselves: the model's reasoning, and calls and results, which are read elsewhere. */
const SILENT: readonly unknown[] = [
  ...["thinking", "redacted_thinking", "reasoning"],
  ...["tool_call", "unparsed_tool_call", "tool_use", "tool_result"],
];

/** Reads the content of a message: a text, a list of parts, or nothing. */
export function readContent(content: unknown, pointer: string, fields: RowFields): MessageContent {
  if (content === undefined || content === null) return NOTHING;
  if (typeof content === "string") return { text: content, hasOther: false };
  if (!Array.isArray(content)) {
    fields.refuse(pointer, "a string or an array of parts", content);
    return NOTHING;
  }
  let text = "";
  let hasOther = false;
  const parts: readonly unknown[] = content;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") text += part;
    else if (!isJsonObject(part)) fields.refuse(`${pointer}/${index}`, "a part", part);
    else if (typeof part.text === "string" && (part.type ?? "text") === "text") text += part.text;
    else if (!SILENT.includes(part.type)) hasOther = true;
  }
  return { text, hasOther };
}

/** What a tool returned: its text; what holds more than that is kept as it is, for an output is any JSON value. */
export function readOutput(content: unknown, pointer: string, fields: RowFields): unknown {
  const { text, hasOther } = readContent(content, pointer, fields);
  if (hasOther) return content;
  return content === undefined || content === null ? null : text;
}

/** Where calls have their arguments, by whose logs they are: OpenAI, LangChain, Anthropic, Llama. */
export const ARGUMENT_KEYS = ["arguments", "args", "input", "parameters"] as const;

/** The arguments of a call; null for none, and undefined when it has no key for them that is known. */
export function readArguments(call: JsonObject): unknown {
  const keys = ARGUMENT_KEYS.filter((key) => Object.hasOwn(call, key));
  const key = keys.find((each) => call[each] !== null) ?? keys[0];
  return key === undefined ? undefined : call[key];
}

/** Levels of a record above a call's arguments: `/messages/0/tool_calls/0/function/arguments`. */
const LEVELS_ABOVE = 6;

/** As JSON.stringify writes a lone surrogate; of a pair it writes the character. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * The arguments of a call as a tool event has them: an object, or the raw text where they do not parse
 * (`rollout-wire#/$defs/ToolEventData`). A text that parsing would change stays a text too: an integer
 * beyond 2^53 would be rounded, the second of two equal keys would win, half of a surrogate pair is no
 * character.
 */
export function toArgs(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    const value: unknown = JSON.parse(given);
    return isJsonObject(value) && isSafe(value, given) ? value : given;
  } catch {
    return given;
  }
}

function isSafe(value: object, text: string): boolean {
  const { largest, keys, depth } = measureValue(value);
  if (largest > Number.MAX_SAFE_INTEGER || depth + LEVELS_ABOVE > MAX_NESTING) return false;
  if (text.includes("\\u") && LONE_SURROGATE.test(JSON.stringify(value))) return false;
  return keys === countKeyMarks(text);
}
