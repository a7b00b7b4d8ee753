/** What rows are like in which nothing is found, by the id of the finding. docs/validate.md lists the same. */
export const PREFLIGHT = {
  "missing-column": "the trainer finds the columns that it requires",
  "ignored-column":
    "it reads every column that means something: none is misspelt, or another trainer's",
  "column-type": "columns have the types that it reads",
  "mixed-rows": "all conversations of a file are lists of messages, or all are text",
  "late-column": "every column occurs in the first 10 MiB, from which `datasets` infers them",
  "message-role": "it knows every role",
  "message-content": "content is text, or parts where there are pictures",
  "turn-order":
    "a prompt ends where the model continues, what is learned begins with its turn, and turns alternate where they must",
  "call-arguments":
    "calls stand in `tool_calls`, with a name, and arguments as an object or as JSON text, encoded once",
  "unanswered-call": "a call has its result before somebody else speaks; only the last may be open",
  "stray-result": "a result follows its call",
  "missing-tools": "a row with calls declares tools",
  "undeclared-tool": "every call is of a tool that the model was offered",
  "tool-definition": "a definition has a function name",
  "null-value": "no null stands where Arrow adds one and chat templates print it",
  "equal-sides": "the sides of a pair differ",
  "same-call": "they differ in what they do, not only in wording",
  "empty-completion": "what is learned is not empty",
  "loss-mask": "a mask has the trainer's name, type and length, and leaves something to learn",
  "chat-template": "the template given renders every conversation",
  "template-drops": "it drops no text, call, argument or definition",
  "too-long": "a row has at most `--max-tokens` tokens",
} as const;

/** Id of what is found in files for trainers. */
export type PreflightId = keyof typeof PREFLIGHT;

export function isPreflightId(id: string): id is PreflightId {
  return Object.hasOwn(PREFLIGHT, id);
}
