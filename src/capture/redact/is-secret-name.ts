/** Longest name of a field that is looked at, in UTF-16 code units: longer ones are texts. */
const MAX_LENGTH = 128;

/** What the name of a field that holds a secret ends with, its words joined. */
const SECRET = new RegExp(
  `(?:${[
    "passwords?|passwd|passphrases?|passcode|pwd",
    "secrets?|credentials?",
    "(?:api|access|private|priv|secret|signing|encryption|decryption|master|shared|account|auth|ssh|wallet)keys?",
    "token|jwt|bearer|authorization|cookie",
    "mnemonics?|(?:seed|recovery|mnemonic|backup|secret)(?:phrase|words)",
    "connectionstring|cardnumber|ccnumber|cvv|cvc",
  ].join("|")})$`,
);

/** A part of each of them. */
const HINT =
  /pass|pwd|secret|credential|key|token|jwt|bearer|authorization|cookie|mnemonic|phrase|words|connection|card|ccn|cvv|cvc/i;

/** Whether a secret's name may stand in a text: cheaper than to look at every word. */
export function mayNameSecret(text: string): boolean {
  return HINT.test(text);
}

/** Tokens that are no secrets: positions in a list, and those of a tokenizer. */
const OTHER_TOKEN =
  /(?:page|next|previous|prev|continuation|sync|cursor|cancel|cancellation|eos|bos|pad|unk|sep|cls|mask|stop|start|end|first|last|special|image|audio)token$/;

/** Words that may follow: `password_confirmation`, `private_key_hex`, `password2`. */
const SUFFIX =
  /(?:\d{1,128}|confirm|confirmation|again|plain|plaintext|raw|hex|base58|base64|b64|pem|string|str|value)$/;

/** Whether a field of this name holds a secret: `password`, `OPENAI_API_KEY`, `x-api-key`, `privateKey`. */
export function isSecretName(name: string): boolean {
  if (name.length > MAX_LENGTH) return false;
  const words = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  return isSecret(words) || isSecret(words.replace(SUFFIX, ""));
}

function isSecret(words: string): boolean {
  return SECRET.test(words) && !OTHER_TOKEN.test(words);
}
