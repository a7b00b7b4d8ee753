const DIGIT = String.raw`\p{Nd}`;
/** `1_000`, or groups of three as some countries part them; or neither. */
const WHOLE = `(?:${DIGIT}{1,3}(?:[,.' ]${DIGIT}{3})+|${DIGIT}+(?:_${DIGIT}+)*)`;
const DECIMAL = String.raw`(?:${WHOLE}(?:[.,]${DIGIT}*)?|\.${DIGIT}+)(?:e[-+]?${DIGIT}+)?`;
const VALUE = String.raw`(?:0x[\da-f]+|0[bo][0-7]+|${DECIMAL}|∞|inf(?:inity)?)`;
/** With a sign, a currency and a unit of parts: `-$0.5`, `50 %`, `5 €`. */
const NUMBER = String.raw`[-+]?(?:\p{Sc} ?)?[-+]?${VALUE}(?: ?[%‰\p{Sc}])?`;
/** Of two numbers: a fraction, and a mean with its deviation. U+2044 is the slash of `½`. */
const BETWEEN = String.raw` ?(?:[/\u2044±]|\+/?-) ?`;

/** Texts that programs print for a number or a boolean; also Python's `True` and its `inf`. */
const PRINTED = new RegExp(`^(?:${NUMBER}(?:${BETWEEN}${NUMBER})?|nan|true|false)$`, "iu");

/** A double that is printed in full has up to 309 digits before its point and 1,074 behind it. */
const LONGEST = 2000;

/** Signs that are no ASCII hyphen, and the apostrophe that parts digits. */
const DASH = /[\u2010-\u2015\u2212]/g;
const APOSTROPHE = /[\u2018\u2019]/g;

/** Whether a text is a number or a boolean that was printed into it, in digits of whatever script. */
export function isPrinted(text: string): boolean {
  if (text.length > LONGEST) return false;
  const plain = text.normalize("NFKC").replace(DASH, "-").replace(APOSTROPHE, "'");
  return PRINTED.test(plain.replace(/\s+/g, " ").trim());
}
