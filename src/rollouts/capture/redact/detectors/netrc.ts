import { type Detector, findMatches, isTemplate } from "./detector.js";

const GAP = String.raw`(?:[ \t]|\\{0,4}[\r\n]|\\{1,4}[rnt]){1,8}`;
/** The words of a machine may be in one line or in several. */
const MACHINE = new RegExp(
  String.raw`(?:machine${GAP}[\w.:-]{1,128}|(?<![\w-])default)${GAP}(?:(?:login|account)${GAP}[^\s\\]{1,128}${GAP}){1,2}password${GAP}(?<secret>[^\s\\"']{1,256})`,
  "dg",
);

export const netrc: Detector = {
  id: "secret",
  purpose: "the password of a machine in a .netrc file",
  certain: false,
  mayFind: (text) => text.includes("password") && text.includes("login"),
  find: (text) =>
    findMatches(text, { pattern: MACHINE }).filter(
      ({ start, end }) => !isTemplate(text.slice(start, end)),
    ),
};
