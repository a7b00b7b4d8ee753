import { toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../base/json/value.js";
import { previewValue, suggestName } from "../../../base/text.js";
import { readCalls } from "./read-calls.js";
import type { MessageStyle } from "./style.js";
import {
  fault,
  type PreflightFault,
  type RowMessage,
  type RowPart,
  type RowTools,
} from "./trainer-row.js";

/** Columns of pictures, sound and film: with one of them, content is a list of parts. */
const MEDIA = ["image", "images", "video", "videos", "audio", "audios"];

/** Reads the values of a row into the common shape, and keeps what is wrong with them. */
export class RowReader {
  readonly style: MessageStyle;
  readonly faults: PreflightFault[] = [];
  readonly #id: string;
  readonly #takesParts: boolean;

  constructor(
    { id, style }: { readonly id: string; readonly style: MessageStyle },
    row: JsonObject,
  ) {
    this.#id = id;
    this.style = style;
    this.#takesParts = style.takesParts || MEDIA.some((name) => row[name] != null);
  }

  /** A column of messages or of plain text. Whether it is either was checked before. */
  part(name: string, value: unknown, pointer = `/${name}`): RowPart {
    const isText = typeof value === "string";
    const messages = isText ? undefined : this.messages(value, pointer);
    return { name, pointer, messages, text: isText ? value : "" };
  }

  /** A list of messages; those that are no messages are left out, with a fault. */
  messages(value: unknown, pointer: string): RowMessage[] {
    if (!Array.isArray(value)) {
      this.#add("column-type", pointer, `must be a list of messages, is ${previewValue(value)}`);
      return [];
    }
    if (value.length === 0) this.#add("empty-completion", pointer, "holds no message");
    return value.flatMap((item, index) => this.message(item, `${pointer}/${index}`) ?? []);
  }

  /** Undefined, with a fault, if the value is no message. */
  message(value: unknown, pointer: string): RowMessage | undefined {
    if (!isJsonObject(value)) {
      const message = `must be a message with a role, is ${previewValue(value)}`;
      this.#add("message-content", pointer, message);
      return undefined;
    }
    const { keys, roles } = this.style;
    const [roleKey, contentKey] = keys.find(([key]) => key in value) ?? keys[0] ?? ["", ""];
    const name = value[roleKey];
    const role = typeof name === "string" && Object.hasOwn(roles, name) ? roles[name] : undefined;
    if (role === undefined) {
      const advice = suggestName(typeof name === "string" ? name : "", Object.keys(roles));
      const problem =
        name === undefined
          ? `has no "${roleKey}"${advice}`
          : `${this.#id} knows no role ${previewValue(name)}${advice}`;
      this.#add("message-role", name === undefined ? pointer : `${pointer}/${roleKey}`, problem);
      return undefined;
    }
    const content = value[contentKey];
    for (const field in this.style.fields === undefined ? {} : value) {
      if (this.style.fields?.includes(field) !== false) continue;
      const problem = `${this.#id} rejects a file with a message that has the field`;
      this.#add("ignored-column", `${pointer}/${toPointerToken(field)}`, `${problem}: remove it`);
    }
    const at = content === undefined ? pointer : `${pointer}/${contentKey}`;
    const written = { value, name, content, contentPointer: at };
    const calls = readCalls(written, pointer, this.style, this.faults);
    const text = this.#text(content, at, contentKey, role === "assistant" && calls.length > 0);
    const callId = typeof value.tool_call_id === "string" ? value.tool_call_id : undefined;
    return { pointer, role, value, text, calls, callId };
  }

  /** The tools of a row; undefined if there are none, or they are wrong. */
  tools(value: unknown, pointer = "/tools"): RowTools | undefined {
    if (value == null || value === "") return undefined;
    const isText = typeof value === "string";
    const definitions = isText ? tryParseJson(value) : value;
    if (!Array.isArray(definitions)) {
      const wanted = "must be a list of definitions, or its JSON text";
      this.#add("tool-definition", pointer, `${wanted}, is ${previewValue(value)}`);
      return undefined;
    }
    return definitions.length === 0 ? undefined : { pointer, definitions, isText };
  }

  #text(content: unknown, pointer: string, key: string, hasCalls: boolean): string {
    if (typeof content === "string") return content;
    if (content == null) {
      if (hasCalls) this.#noteNull(content, pointer, key);
      else this.#add("message-content", pointer, `has no "${key}": give it a text`);
      return "";
    }
    if (!Array.isArray(content)) {
      this.#add("message-content", pointer, `must be text, is ${previewValue(content)}`);
      return "";
    }
    if (!this.#takesParts) {
      const problem = `is a list of parts, which chat templates of text print as a list or reject`;
      this.#add("message-content", pointer, `${problem}: join their texts`);
    }
    return content.map((part) => (isJsonObject(part) ? String(part.text ?? "") : "")).join("");
  }

  /** Beside calls, an absent content is usual; a null is not. */
  #noteNull(content: unknown, pointer: string, key: string): void {
    if (content !== null || this.style.nulls !== "printed") return;
    const problem = `is null: some chat templates print "None", or fail`;
    this.faults.push(fault("null-value", "warning", pointer, `"${key}" ${problem}: write ""`));
  }

  #add(id: PreflightFault["id"], pointer: string, message: string): void {
    this.faults.push(fault(id, "error", pointer, message, message.replace(/, is .*/s, "")));
  }
}
