import { classifyFieldName, isMixedWord, isSecretValue, mayNameSecret } from "../field-names.js";
import { type Detector, isTemplate, type Span } from "./detector.js";

/** An element with text alone. Its angle brackets may be escaped, as in XML inside XML. */
const ELEMENT =
  /(?:<|&lt;|\\u003c)(?:[A-Za-z_][\w.-]{0,40}:)?(?<name>[A-Za-z_][\w.-]{2,63})(?:[ \t][^<>&]{0,200})?(?:>|&gt;|\\u003e)(?:<!\[CDATA\[)?(?<secret>[^<>\s][^<>\n]{0,4095}?)(?=\]\]>|<\/|&lt;\/|\\u003c\/)/dgi;
/** A property of Java, Maven or .NET: `<add key="password" value="..."/>`. */
const PROPERTY =
  /(?:key|name)=\\{0,4}["'](?<name>[\w.:-]{3,64})\\{0,4}["'][^<>\n]{0,80}?[ \t]value=\\{0,4}["'](?<secret>[^"'<>\\\n]{1,4096})/dg;
/** Characters that passwords have and words do not. */
const SYMBOL = /[!@#$%^*+=?~]/;

/** One of them is in every match. */
const MARKS = ["</", "lt;/", "003c/", "003C/", " value="] as const;

export const xml: Detector = {
  id: "secret",
  purpose: "the text of an XML element with a secret's name, as in <password>...</password>",
  certain: false,
  mayFind: (text) => MARKS.some((mark) => text.includes(mark)) && mayNameSecret(text),
  find: (text) =>
    [...findNamed(text, ELEMENT), ...findNamed(text, PROPERTY)].toSorted(
      (a, b) => a.start - b.start,
    ),
};

/** A value without digits and symbols may be a type or a word of documentation. */
function findNamed(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const { name = "", secret = "" } = match.groups ?? {};
    const [start, end] = match.indices?.groups?.secret ?? [0, 0];
    const naming = classifyFieldName(name);
    if (naming === undefined || isTemplate(secret) || !isSecretValue(secret, naming)) return [];
    const isCode = naming === "phrase" && /^\d{6,}$/.test(secret);
    return isCode || isMixedWord(secret) || SYMBOL.test(secret) || secret.length >= 24
      ? [{ start, end }]
      : [];
  });
}
