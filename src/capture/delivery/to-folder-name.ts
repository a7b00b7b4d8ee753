/** A name for a destination's folder that stays within the spool, whatever the sink's id is. */
export function toFolderName(id: unknown): string {
  if (typeof id !== "string" || id === "") return "custom";
  const name = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_");
  return name.slice(0, 100);
}
