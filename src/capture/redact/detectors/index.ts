import { authorization } from "./authorization.js";
import { base58Key } from "./base58-key.js";
import { cardNumber } from "./card-number.js";
import { commandLine } from "./command-line.js";
import { cookie } from "./cookie.js";
import type { Detector } from "./detector.js";
import { email } from "./email.js";
import { keyBytes } from "./key-bytes.js";
import { namedValue } from "./named-value.js";
import { privateKey } from "./private-key.js";
import { seedPhrase } from "./seed-phrase.js";
import { tokens } from "./tokens.js";
import { urlKey } from "./url-key.js";
import { urlPassword } from "./url-password.js";
import { walletKey } from "./wallet-key.js";

/** Every detector. Where two find the same text, the first one names it. */
export const detectors: readonly Detector[] = [
  privateKey,
  ...tokens,
  urlPassword,
  urlKey,
  seedPhrase,
  base58Key,
  keyBytes,
  walletKey,
  authorization,
  cookie,
  namedValue,
  commandLine,
  cardNumber,
  email,
];
