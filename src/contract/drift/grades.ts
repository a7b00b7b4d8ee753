import type { CopyGrade } from "./grade.js";
import type { HashGrade } from "./hash-grade.js";

/** `not-adopted`: another file, which was never a copy. */
export type Grade = CopyGrade["grade"] | HashGrade["grade"] | "not-adopted";

/** Each grade as a sentence that follows the name of the copy. */
export const GRADE_DESCRIPTIONS: Readonly<Record<Grade, string>> = {
  identical: "is identical",
  formatting: "differs in formatting only",
  documentation: "differs in documentation only",
  compatible: "is a different schema that accepts the same records",
  breaking: "is a different schema",
  undecided: "is a different schema; whether it accepts the same records is undecided",
  changed: "is a different file",
  "not-adopted": "is a different file, which was never copied",
  missing: "is missing",
  unexpected: "cannot be compared: its original is no longer available",
  unreadable: "cannot be read",
};

/** The grades of copies that differ. */
export const GRADES: readonly string[] = Object.keys(GRADE_DESCRIPTIONS).filter(
  (grade) => grade !== "identical",
);
