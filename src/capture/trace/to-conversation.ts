import type { TracePrompt, TraceResponse } from "./trace-kind.js";

/** A prompt as traces hold it: `{messages: [...]}`. A text is what a user said. */
export function toConversation(prompt: TracePrompt): object {
  if (typeof prompt === "string") return { messages: [{ role: "user", content: prompt }] };
  return "messages" in prompt ? prompt : { messages: prompt };
}

/** A response as traces hold it: a message of the assistant. */
export function toMessage(response: TraceResponse | undefined): object | undefined {
  return typeof response === "string" ? { role: "assistant", content: response } : response;
}
