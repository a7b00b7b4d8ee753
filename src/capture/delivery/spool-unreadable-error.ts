/** What stands in the spool cannot be read now: it stays there, and reading is tried again. */
export class SpoolUnreadableError extends Error {
  override readonly name = "SpoolUnreadableError";
}
