import { isSecretValue } from "../is-secret-value.js";
import { namingOf } from "../naming-of.js";
import type { Detector, Span } from "./detector.js";
import { findMatches } from "./find-matches.js";
import { isTemplate } from "./is-template.js";

/** An option and its value, with a space between them. */
const OPTION =
  /(?<![\w-])--(?<name>[A-Za-z][A-Za-z0-9_-]{2,40})[ \t]{1,4}["']?(?<secret>[^\s"'`\\;|<>(){}-][^\s"'`\\;|<>(){}]{5,511})/dg;
const USER =
  /(?<![\w-])(?:-u|--user)(?:[ \t]{0,4}|=)["']?[^\s:"'`\\]{1,128}:(?<secret>[^\s"'`\\]{1,256})/dg;
/** How far before its option a command may stand, in characters. */
const REACH = 400;
/** Shortest value of an option such as `--token`: shorter ones may be names. */
const MIN_TOKEN = 20;

export const commandLine: Detector = {
  id: "secret",
  purpose: "the secrets of a command line, as in `curl -u user:password` and `--token ...`",
  certain: false,
  mayFind: (text) => /(?<![\w-])(?:-u|--[A-Za-z])/.test(text),
  find(text) {
    const users = findMatches(text, { pattern: USER }).filter((span) => isOfCurl(text, span));
    const all = [...findOptions(text), ...users].filter(
      ({ start, end }) => !isTemplate(text.slice(start, end)),
    );
    return all.toSorted((a, b) => a.start - b.start);
  },
};

function findOptions(text: string): Span[] {
  return [...text.matchAll(OPTION)].flatMap((match) => {
    const { name = "", secret = "" } = match.groups ?? {};
    const [start, end] = match.indices?.groups?.secret ?? [0, 0];
    const naming = namingOf(name);
    const isMixed = /[A-Za-z]/.test(secret) && /\d/.test(secret);
    const isLong = naming === "phrase" || secret.length >= MIN_TOKEN;
    const isSecret = naming !== undefined && isMixed && isLong && isSecretValue(secret, naming);
    return isSecret ? [{ start, end }] : [];
  });
}

/** Other commands have numbers of users and groups there. */
function isOfCurl(text: string, { start }: Span): boolean {
  const line = text.slice(Math.max(0, start - REACH), start);
  return /\bcurl\b/.test(line.slice(line.lastIndexOf("\n\n") + 1));
}
