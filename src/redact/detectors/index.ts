import { authorization, commandLine, cookie, namedValue } from "./assignments.js";
import { cardNumber } from "./card-number.js";
import type { Detector } from "./detector.js";
import { email } from "./email.js";
import { seedPhrase } from "./seed-phrase.js";
import { tokens } from "./tokens.js";
import { urlKey, urlPassword } from "./urls.js";
import { base58Key, keyBytes, privateKey, walletKey } from "./wallets.js";

/** All detectors. If two match the same text, the first one determines the kind. */
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
