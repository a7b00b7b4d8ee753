import { authorization, cookie, namedValue } from "./assignments.js";
import { cardNumber } from "./card-number.js";
import { commandLine } from "./command-line.js";
import type { Detector } from "./detector.js";
import { email } from "./email.js";
import { netrc } from "./netrc.js";
import { seedPhrase } from "./seed-phrase.js";
import { tokens } from "./tokens.js";
import { createUrlParameter, urlKey, urlPassword } from "./urls.js";
import { base58Key, keyBytes, privateKey, walletKey } from "./wallets.js";
import { xml } from "./xml.js";

const direct: readonly Detector[] = [
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
  netrc,
  xml,
  cardNumber,
  email,
];

/** All detectors. If two match the same text, the first one determines the kind. */
export const detectors: readonly Detector[] = [...direct, createUrlParameter(direct)];
