import { base58 } from "@scure/base";
import { SHORTEST_PHRASE, seedWordIndex } from "./detectors/find-seed-words.js";
import { isUserAndPassword } from "./detectors/is-user-and-password.js";
import type { Naming } from "./naming-of.js";
import { PLACEHOLDER } from "./placeholders.js";

const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");
/** Longest sentence that is told from a secret, in characters. */
const MAX_SENTENCE = 4096;
/** What people and programs write where a secret would be. */
const PLAIN_WORD =
  /^\W{0,4}(?:none|null|nil|undefined|n\/?a|empty|unset|not[ _-]?set|missing|unknown|invalid|expired|required|optional|needed|yes|no|ok|true|false|on|off|set|hidden|masked|redacted|removed|default|disabled|enabled)\W{0,4}$/i;
/** Words of letters alone, three at the least. */
const SENTENCE =
  /^[\s"'(]{0,4}(?:[\p{L}'’-]{1,40}[\s.,;:!?"')(]{1,4}){2,400}[\p{L}'’-]{1,40}[\s.,;:!?"')]{0,4}$/u;
/** What tokens consist of, and how long they are. */
const TOKEN = /^[A-Za-z0-9._~+/=:-]{16,4096}$/;
const BASE64 = /^[A-Za-z0-9+/]{8,512}={0,2}$/;
/** The address of a contract or of a mint: a public token, as wallets call it. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Whether a value below a name that speaks of a secret is one, and not a word or a sentence about it. */
export function isSecretValue(value: string, naming: Naming): boolean {
  const text = value.trim();
  if (text === "" || isPlainWord(text)) return false;
  if (naming === "phrase") return true;
  if (naming === "user") return BASE64.test(text) && isUserAndPassword(text);
  return naming === "token" ? looksLikeToken(text) : !isSentence(text);
}

/** Whether a word says that there is a secret, or none: `required`, `none`, `yes`. */
export function isPlainWord(text: string): boolean {
  return text.length <= 24 && PLAIN_WORD.test(text);
}

/** Whether a value holds a run of letters and digits such as nobody types, and is no address. */
export function looksRandom(value: string): boolean {
  return !isAddress(value) && (value.match(/[A-Za-z0-9]{16,}/g) ?? []).some(isMixed);
}

function isMixed(text: string): boolean {
  return /[A-Za-z]/.test(text) && /\d/.test(text);
}

function isAddress(text: string): boolean {
  return ADDRESS.test(text) || (BASE58_ADDRESS.test(text) && base58.decode(text).length === 32);
}

function looksLikeToken(text: string): boolean {
  return TOKEN.test(text) && isMixed(text) && !isAddress(text);
}

/** A placeholder stands for words: what is a sentence with its secrets is one without them. */
function isSentence(text: string): boolean {
  if (text.length > MAX_SENTENCE) return false;
  const words = text.replaceAll(PLACEHOLDERS, " a b c ");
  return SENTENCE.test(words) && !isPhrase(words);
}

function isPhrase(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return (
    words.length >= SHORTEST_PHRASE && words.every((word) => seedWordIndex(word) !== undefined)
  );
}
