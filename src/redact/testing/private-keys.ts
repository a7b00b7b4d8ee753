import { generateKeyPairSync } from "node:crypto";

/** A private key in PEM, made anew: the sources hold none. */
export const PRIVATE_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ format: "pem", type: "pkcs8" })
  .toString()
  .trimEnd();
