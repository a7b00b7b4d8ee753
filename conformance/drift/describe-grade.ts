import { isLater } from "../registry/version.js";
import type { Grade } from "./checked-copy.js";
import type { HashGrade } from "./grade-by-hashes.js";
import type { CopyGrade } from "./grade-copy.js";

const MEANINGS: Readonly<Record<Grade, string>> = {
  identical: "is identical",
  formatting: "differs in formatting alone",
  documentation: "differs in what is written for people alone",
  compatible: "is another schema that accepts the same records",
  breaking: "is another schema",
  undecided: "is another schema, and whether it accepts the same records nobody could say",
  changed: "is another file",
  missing: "is not there",
  unexpected: "cannot be compared with what nobody has any more",
  unreadable: "cannot be read",
};

/** What a grade says of a copy, in a sentence that follows its name. */
export function describeGrade(graded: CopyGrade | HashGrade): string {
  if (graded.grade === "unreadable") return graded.because;
  if (graded.grade !== "breaking") return MEANINGS[graded.grade];
  const { backward, forward } = graded.comparison;
  return [
    ...(backward === "breaking" ? ["rejects records that are valid"] : []),
    ...(forward === "breaking" ? ["accepts records that are invalid"] : []),
  ].join(", and ");
}

/** What it says of a copy that it is version `is` where `pinned` should be; "" when it is no version that is known. */
export function describeStanding(is: string | undefined, pinned: string): string {
  if (is === undefined) return "";
  return isLater(pinned, is) ? `behind: it is ${is}` : `ahead: it is ${is}`;
}
