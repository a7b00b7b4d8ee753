import type { CopyGrade } from "./grade.js";
import type { HashGrade } from "./hash-grade.js";

/** `not-adopted`: another file, which was never a copy. */
export type Grade = CopyGrade["grade"] | HashGrade["grade"] | "not-adopted";

/** Each grade as a sentence that follows the name of the copy. */
export const GRADE_DESCRIPTIONS: Readonly<Record<Grade, string>> = {
  identical: "is identical",
  "line-ends": "is identical but for line ends",
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

/** What to do about each grade, in Markdown, what loses nothing first; the table of docs/consumers.md says the same. */
export const GRADE_FIXES: Readonly<Record<Grade, string>> = {
  identical: "nothing",
  "line-ends": "add the line that is printed to `.gitattributes`, then `sync`",
  formatting: "exclude it from formatters, then `sync --force`",
  documentation: "propose them to the schema's owner, then `sync --force`",
  compatible: "accept it in the baseline, or `sync --force`",
  breaking:
    "propose the change to the schema's owner, accept it in the baseline, or `sync --force`",
  undecided: "as for `breaking`",
  "not-adopted": "`sync --adopt`, or accept it in the baseline",
  changed: "inspect it with `git diff`; undo it, or `sync --force`",
  missing: "`sync`, after raising its version where this package no longer has it",
  unexpected: "delete it; if it is still in the lock, `sync --prune`",
  unreadable: "undo the change, or `sync --force`",
};

/** The grades of copies that differ. */
export const GRADES: readonly string[] = Object.keys(GRADE_DESCRIPTIONS).filter(
  (grade) => grade !== "identical",
);

/** Tells whether a grade has this name. */
export function isGrade(name: string): name is Grade {
  return Object.hasOwn(GRADE_DESCRIPTIONS, name);
}
