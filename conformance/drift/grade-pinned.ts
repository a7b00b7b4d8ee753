import type { LockedHashes } from "#generated/index.js";
import { gradeByHashes, type HashGrade } from "./grade-by-hashes.js";
import { type CopyGrade, gradeCopy } from "./grade-copy.js";

/** What a copy is to be. */
export interface PinnedFile {
  readonly hashes: LockedHashes;
  /** Of a schema, where it is at hand: it tells what hashes do not. */
  readonly text: string | undefined;
}

/**
 * The grade of a copy: by hashes, and where they do not say what differs, by the schema itself. Undefined, `pinned`
 * is known to nobody; `others` gives the texts of schemas to which it may refer.
 */
export function gradePinned(
  pinned: PinnedFile | undefined,
  copy: Uint8Array | undefined,
  others: () => readonly string[],
): CopyGrade | HashGrade {
  if (copy === undefined) return { grade: "missing" };
  if (pinned === undefined) return { grade: "unexpected" };
  const { hashes, text } = pinned;
  const graded = gradeByHashes(hashes, copy);
  if (graded.grade !== "changed" || text === undefined) return graded;
  return gradeCopy({ canonical: text, copy: Buffer.from(copy).toString("utf8"), others: others() });
}
