import { sha256 as hashBytes } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** What of Node is used, if there is a Node. A page is compiled without its types. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(id: "node:crypto"): { hash(algorithm: string, text: string): string };
  };
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  // Ten times as fast, but a page has no such module.
  const crypto = (globalThis as Runtime).process?.getBuiltinModule?.("node:crypto");
  return crypto === undefined ? hashInScript(text) : crypto.hash("sha256", text);
}

/** WebCrypto is no alternative: it returns promises. */
export function hashInScript(text: string): string {
  return bytesToHex(hashBytes(new TextEncoder().encode(text)));
}
