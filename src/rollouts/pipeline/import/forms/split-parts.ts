import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { ConvertedMessage } from "./converted.js";

/** A part of a message in terms that `readMessage` knows: something said or called, or the fields of a tool's message. */
export type KnownPart = { readonly said: unknown } | { readonly result: JsonObject };

/**
 * The parts of a message in their order: what is said and called between two results is one message, and each result one of
 * its tool. The other fields of the message stay with the last.
 */
export function splitParts(
  [at, { content: _, ...message }]: ConvertedMessage,
  parts: readonly unknown[],
  read: (part: JsonObject) => KnownPart,
): ConvertedMessage[] {
  const { role, ...others } = message;
  const split: JsonObject[] = [];
  let speech: unknown[] | undefined;
  for (const part of parts) {
    const known = isJsonObject(part) ? read(part) : { said: part };
    if ("result" in known) {
      split.push({ role: "tool", ...known.result });
      speech = undefined;
    } else if (speech === undefined) {
      speech = [known.said];
      split.push({ role, content: speech });
    } else {
      speech.push(known.said);
    }
  }
  const last = split.pop() ?? { role, content: "" };
  return [...split, { ...others, ...last }].map((each): ConvertedMessage => [at, each]);
}
