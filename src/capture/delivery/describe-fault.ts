/** Longest message, in characters. */
const MAX_LENGTH = 500;

/** What was thrown, as the first line of a message. Even that may be anything, and its message a getter. */
export function describeFault(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return (message.split("\n", 1)[0] ?? "").slice(0, MAX_LENGTH);
  } catch {
    return "an error that cannot be printed";
  }
}
