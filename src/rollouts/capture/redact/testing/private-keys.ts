import { generateKeyPairSync } from "node:crypto";

/** A newly generated PEM private key, so that the sources contain none. */
export const PRIVATE_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ format: "pem", type: "pkcs8" })
  .toString()
  .trimEnd();
