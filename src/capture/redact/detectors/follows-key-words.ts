/** How far before a value its words are looked for, in characters. */
const REACH = 64;

const SEPARATORS = String.raw`["'\x60\\\s:=(>[-]{0,8}(?:(?:is|was|here|hex|value|below)["'\x60\\\s:=]{1,6}){0,2}`;

/** A part of all words that call something a key. */
export const KEY_WORD = /key|hex|secret|seed/i;
const KEY_WORDS = new RegExp(
  `(?:(?:private|priv|secret|signing|wallet|deployer|owner|account)[\\s_-]{0,2}(?:key|hex)|keypair|secret|seed)${SEPARATORS}$`,
  "i",
);
const PHRASE_WORDS = new RegExp(
  `(?:mnemonics?|(?:seed|recovery|backup|secret|mnemonic)[\\s_-]{0,2}(?:phrase|words?)|seed)${SEPARATORS}$`,
  "i",
);

/** Whether the words right before a value call it a secret key: "private key: ", `PRIVATE_KEY=`. */
export function followsKeyWords(text: string, start: number): boolean {
  return KEY_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}

/** The same of a seed phrase. */
export function followsPhraseWords(text: string, start: number): boolean {
  return PHRASE_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}
