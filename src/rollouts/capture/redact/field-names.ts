import { base58 } from "@scure/base";
import { isUserAndPassword, type Span } from "./detectors/detector.js";
import { findSeedWords, SHORTEST_PHRASE, seedWordIndex } from "./detectors/seed-phrase.js";
import { isKeyPairList } from "./detectors/wallets.js";
import { PLACEHOLDER } from "./redact.js";

/** Maximum length of a field name, in UTF-16 code units. Longer keys are texts, not names. */
const MAX_LENGTH = 128;

/**
 * What a field name says about its value:
 * - `secret`: a secret;
 * - `phrase`: a secret that may consist of words;
 * - `token`: a login token or the name of a coin, so the value must also look like a token;
 * - `mixed`: a password or a step of a procedure, so the value must contain letters and digits;
 * - `user`: a user name with a password, as in Docker's configuration files.
 */
export type Naming = "secret" | "phrase" | "token" | "mixed" | "user";

/** End of a field name that denotes a secret, with its words joined. */
const SECRET = new RegExp(
  `(?:${[
    "secrets?|credentials?",
    "(?:api|access|private|priv|secret|signing|encryption|decryption|master|shared|account|storage|auth|ssh|wallet)keys?",
    "(?:access|refresh|auth|api|bearer|oauth|session|security|secret|bot)token",
    "connectionstring|rediscliauth|cardnumber|ccnumber|cvv|cvc",
  ].join("|")})$`,
);
/** The same for values that may be words, or a word and a secret: `Bearer abc`. */
const PHRASE = new RegExp(
  `(?:${[
    "passwords?|passwd|passphrases?|passcode|pwd",
    "(?:db|database|sql|pg|postgres|redis|mongo|rabbitmq|default|smtp|mail|ftp|ssh|ldap|bind|proxy|wifi|sudo|become|vault|root|admin|user|login|account|client|service|key|keystore|app|auth)pass",
    "mnemonics?|(?:seed|recovery|mnemonic|backup|secret)(?:phrase|words)",
    "jwt|bearer|authorization|cookie",
  ].join("|")})$`,
);

/** A substring of every such name. */
const HINT =
  /pass|pwd|secret|credential|key|token|jwt|bearer|auth|cookie|mnemonic|phrase|words|connection|card|ccn|cvv|cvc/i;

/** Tells whether a text may contain such a name. Cheaper than checking every word. */
export function mayNameSecret(text: string): boolean {
  return HINT.test(text);
}

/** Tokens that are not secrets: page tokens and tokenizer settings. */
const OTHER_TOKEN =
  /(?:page|next|previous|prev|continuation|sync|cursor|cancel|cancellation|eos|bos|pad|unk|sep|cls|mask|stop|start|end|first|last|special|image|audio)token$/;
/** Coins: the two sides of a trade. */
const COIN =
  /^(?:swap|trade|bridge)?(?:from|to|in|out|input|output|base|quote|sell|sold|buy|bought|source|src|target|destination|dst|pay|payment|receive|reward|native|wrapped|stable|collateral|debt|borrow|lend|pool|lp|fee|gas|stake|staking|deposit|underlying|governance)token$/;

/** Words that may follow: `password_confirmation`, `private_key_hex`, `password2`. */
const SUFFIX =
  /(?:\d{1,128}|confirm|confirmation|again|plain|plaintext|raw|hex|base|base58|base64|b64|pem|string|str|value)$/;

/**
 * Classifies names such as `password`, `OPENAI_API_KEY`, `x-api-key`, `privateKey` or `token`. Undefined for
 * all other names.
 */
export function classifyFieldName(name: string): Naming | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const words = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  return readWords(words) ?? readWords(words.replace(SUFFIX, ""));
}

function readWords(words: string): Naming | undefined {
  if (PHRASE.test(words)) return "phrase";
  if (SECRET.test(words)) return "secret";
  if (words === "auth") return "user";
  if (words === "pass") return "mixed";
  const isToken = words.endsWith("token") && !OTHER_TOKEN.test(words) && !COIN.test(words);
  return isToken ? "token" : undefined;
}

const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");
/** Longer values, in characters, are never taken for sentences. */
const MAX_SENTENCE = 4096;
/** Words that people and programs write instead of a secret. */
const PLAIN_WORD =
  /^\W{0,4}(?:none|null|nil|undefined|n\/?a|empty|unset|not[ _-]?set|missing|unknown|invalid|expired|required|optional|needed|yes|no|ok|true|false|on|off|set|hidden|masked|redacted|removed|default|disabled|enabled|same-origin|include|omit|bearer|basic|digest|token|string|text|number|boolean|object|bytes|usize|[uif](?:8|16|32|64|128))\W{0,4}$/i;
/** Names that stand for a secret, as in documentation and settings: `your-api-key`, `DB_PASSWORD`. */
const STAND_IN =
  /^\W{0,4}(?:(?:your|insert|enter|replace|example|sample|dummy)[_-][A-Za-z_-]{1,40}|[A-Z]{2,20}(?:_[A-Z]{2,20}){1,4})\W{0,4}$/;
/** At least three words made of letters only. */
const SENTENCE =
  /^[\s"'(]{0,4}(?:[\p{L}'’-]{1,40}[\s.,;:!?"')(]{1,4}){2,400}[\p{L}'’-]{1,40}[\s.,;:!?"')]{0,4}$/u;
/** Shorter words of letters and digits are names: `step2`. */
const MIN_MIXED = 6;
/** Characters and length of a token. */
const TOKEN = /^[A-Za-z0-9._~+/=:-]{16,4096}$/;
const BASE64 = /^[A-Za-z0-9+/]{8,512}={0,2}$/;
/** The address of a contract or mint: wallets call it a token, but it is public. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Tells whether the value of a field with a secret name is a secret, and not a word or a sentence about it. */
export function isSecretValue(value: string, naming: Naming): boolean {
  const text = value.trim();
  if (text === "" || isPlainWord(text)) return false;
  if (naming === "phrase") return true;
  if (naming === "user") return BASE64.test(text) && isUserAndPassword(text);
  if (naming === "mixed") return isMixedWord(text);
  return naming === "token" ? looksLikeToken(text) : !isSentence(text);
}

/** Tells whether a word only states that there is a secret or none, or where it goes: `required`, `none`, `YOUR_API_KEY`. */
export function isPlainWord(text: string): boolean {
  return (text.length <= 24 && PLAIN_WORD.test(text)) || STAND_IN.test(text);
}

/** Tells whether a value contains a random-looking run of letters and digits and is not an address. */
export function looksRandom(value: string): boolean {
  return !isAddress(value) && (value.match(/[A-Za-z0-9]{16,}/g) ?? []).some(isMixed);
}

/**
 * Tells whether a value is one word of at least 6 characters with letters and digits. One with a placeholder is not:
 * what redaction has left of it is no secret, or redacting twice would change it.
 */
export function isMixedWord(value: string): boolean {
  if (PLACEHOLDER.test(value)) return false;
  return value.length >= MIN_MIXED && !/\s/.test(value) && isMixed(value);
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

/** Placeholders count as words, so that redaction does not change whether a text is a sentence. */
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

/** Fields that hold the name in a name-value pair: lists of headers, settings and form fields. */
const NAMES = ["name", "key", "header", "variable"] as const;

export function isPairField(name: string | undefined): boolean {
  return NAMES.some((field) => field === name);
}

/** The name in a pair such as `{"name": "x-api-key", "value": "..."}` if it denotes a secret. */
export function findPairName(
  read: (field: string) => unknown,
  maySecret: (name: string) => boolean,
): string | undefined {
  return NAMES.map(read).find(
    (name): name is string => typeof name === "string" && maySecret(name),
  );
}

/** Fields that describe a secret instead of holding it. */
const DESCRIBING =
  /^(?:\$?(?:ref|id|schema)|types?|formats?|descriptions?|title|pattern|name|label|hint|placeholder|example|kind|path|file|url|uri|href|host|provider|version|algorithm|region|user|user_?name|login|account|email|.*_at|.*_?date|expires.*)$/i;

/** Tells whether a field within a secret field may hold a secret. */
export function isInnerName(name: string | undefined): boolean {
  return name === undefined || !DESCRIBING.test(name);
}

/** Paths, addresses, references, dates, versions and variables. */
const REFERENCE = /^(?:[#./~$<{@%*]|[A-Za-z][A-Za-z0-9+.-]*:\/\/|\d{4}-\d\d|v?\d+\.\d)/;

/** Tells whether a value within a secret field is a secret, and not a reference to one. */
export function isInnerSecret(value: string): boolean {
  return isMixedWord(value) && !REFERENCE.test(value);
}

/** A secret that is spread over several elements of a list. */
export interface ListSecret extends Span {
  readonly kind: string;
  /** The secret as it would appear in a text. */
  readonly text: string;
}

/**
 * Finds secrets that only a whole list reveals: a seed phrase stored word by word, or a key pair stored byte by
 * byte.
 */
export function findListSecrets(list: readonly unknown[]): ListSecret[] {
  if (list.length < SHORTEST_PHRASE) return [];
  if (isKeyPairList(list)) {
    return [{ start: 0, end: list.length, kind: "wallet-key", text: list.join(",") }];
  }
  const secrets: ListSecret[] = [];
  for (const run of findRuns(list)) {
    const marked = findSeedWords(run.indexes);
    let at = 0;
    while (at < marked.length) {
      const length = lengthOfRun(marked, at);
      if (length > 0) {
        const [start, end] = [run.start + at, run.start + at + length];
        secrets.push({
          start,
          end,
          kind: "seed-phrase",
          text: list.slice(start, end).map(toWord).join(" "),
        });
      }
      at += Math.max(1, length);
    }
  }
  return secrets;
}

function lengthOfRun(marked: readonly boolean[], start: number): number {
  let end = start;
  while (marked[end] === true) end += 1;
  return end - start;
}

/** Normalises a word as in a seed phrase within a text. */
function toWord(element: unknown): string {
  return String(element).trim().toLowerCase();
}

/** Finds runs of consecutive seed words. */
function findRuns(list: readonly unknown[]): { start: number; indexes: number[] }[] {
  const runs: { start: number; indexes: number[] }[] = [];
  let isOpen = false;
  for (const [at, element] of list.entries()) {
    const index = typeof element === "string" ? seedWordIndex(element.trim()) : undefined;
    if (index === undefined) isOpen = false;
    else if (isOpen) runs.at(-1)?.indexes.push(index);
    else {
      runs.push({ start: at, indexes: [index] });
      isOpen = true;
    }
  }
  return runs;
}
