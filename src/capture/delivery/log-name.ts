/** Owner of a log that nobody writes. */
export const NOBODY = "nobody";

/** Begins the name of a log while it is made at one go. */
const MAKING = "making-";
const NAME =
  /^(?:making-(?=[^.]*$))?(?<id>[a-z0-9]{9,}-[0-9a-f]{12})(?:\.(?<owner>[0-9a-f]{16}|nobody))?$/;

/** Name of the folder of a log that `owner` has. */
export function toLogName(id: string, owner: string): string {
  return `${id}.${owner}`;
}

/** Name of the folder of a log that is being made, and that nobody has yet. */
export function toUnfinishedName(id: string): string {
  return `${MAKING}${id}`;
}

/** The parts of a log's name: one that is unfinished has no owner, any other file no id either. */
export function parseLogName(name: string): { readonly id?: string; readonly owner?: string } {
  return NAME.exec(name)?.groups ?? {};
}
