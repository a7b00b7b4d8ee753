/** Longest name of a field that is looked at, in UTF-16 code units: longer ones are texts. */
const MAX_LENGTH = 128;

/**
 * What the name of a field says of its value: a `secret`; a secret that may be words (`phrase`); a `token`, which
 * may be that of a login as well as that of a coin, so that the value has to look like one; or `user`, with a
 * password, as in the files of Docker.
 */
export type Naming = "secret" | "phrase" | "token" | "user";

/** What the name of a field that holds a secret ends with, its words joined. */
const SECRET = new RegExp(
  `(?:${[
    "secrets?|credentials?",
    "(?:api|access|private|priv|secret|signing|encryption|decryption|master|shared|account|auth|ssh|wallet)keys?",
    "(?:access|refresh|auth|api|bearer|oauth|session|security|secret|bot)token",
    "connectionstring|cardnumber|ccnumber|cvv|cvc",
  ].join("|")})$`,
);
/** The same of what may be words, or a word and a secret: `Bearer abc`. */
const PHRASE = new RegExp(
  `(?:${[
    "passwords?|passwd|passphrases?|passcode|pwd",
    "mnemonics?|(?:seed|recovery|mnemonic|backup|secret)(?:phrase|words)",
    "jwt|bearer|authorization|cookie",
  ].join("|")})$`,
);

/** A part of each of them. */
const HINT =
  /pass|pwd|secret|credential|key|token|jwt|bearer|auth|cookie|mnemonic|phrase|words|connection|card|ccn|cvv|cvc/i;

/** Whether a secret's name may stand in a text: cheaper than to look at every word. */
export function mayNameSecret(text: string): boolean {
  return HINT.test(text);
}

/** Tokens that are no secrets: positions in a list, and those of a tokenizer. */
const OTHER_TOKEN =
  /(?:page|next|previous|prev|continuation|sync|cursor|cancel|cancellation|eos|bos|pad|unk|sep|cls|mask|stop|start|end|first|last|special|image|audio)token$/;
/** Coins: what a trade gives and takes. */
const COIN =
  /^(?:swap|trade|bridge)?(?:from|to|in|out|input|output|base|quote|sell|sold|buy|bought|source|src|target|destination|dst|pay|payment|receive|reward|native|wrapped|stable|collateral|debt|borrow|lend|pool|lp|fee|gas|stake|staking|deposit|underlying|governance)token$/;

/** Words that may follow: `password_confirmation`, `private_key_hex`, `password2`. */
const SUFFIX =
  /(?:\d{1,128}|confirm|confirmation|again|plain|plaintext|raw|hex|base58|base64|b64|pem|string|str|value)$/;

/** Of `password`, `OPENAI_API_KEY`, `x-api-key`, `privateKey`, `token`; undefined for names that say nothing. */
export function namingOf(name: string): Naming | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const words = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  return readWords(words) ?? readWords(words.replace(SUFFIX, ""));
}

function readWords(words: string): Naming | undefined {
  if (PHRASE.test(words)) return "phrase";
  if (SECRET.test(words)) return "secret";
  if (words === "auth") return "user";
  const isToken = words.endsWith("token") && !OTHER_TOKEN.test(words) && !COIN.test(words);
  return isToken ? "token" : undefined;
}
