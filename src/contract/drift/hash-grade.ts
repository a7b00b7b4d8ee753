import type { LockedHashes } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { schemaHashes } from "../schemas/hashes.js";
import { JsonTextError, type JsonTextFault } from "../schemas/json-text.js";

/** The grade of a copy according to hashes. */
export type HashGrade =
  | {
      /**
       * `line-ends`: nothing else differs. `formatting`: only layout, a byte-order mark or the final newline differ.
       * `documentation`: the contract is the same.
       */
      readonly grade: "identical" | "line-ends" | "formatting" | "documentation" | "missing";
    }
  | {
      /** More differs; hashes do not say what. */
      readonly grade: "changed";
    }
  | UnreadableCopy;

/** A copy that cannot be interpreted as a schema. */
interface UnreadableCopy {
  readonly grade: "unreadable";
  /** A sentence that follows the copy's name. */
  readonly because: string;
  /** The fault in its text; absent if it has a canonical form but is not a schema. */
  readonly fault?: JsonTextFault;
}

/** Grades a copy by the hashes of its original; `copy` is undefined if it is missing. */
export function gradeByHashes(
  hashes: LockedHashes,
  copy: string | Uint8Array | undefined,
): HashGrade {
  if (copy === undefined) return { grade: "missing" };
  if (sha256(copy) === hashes.bytes) return { grade: "identical" };
  if (hasText(copy, hashes.bytes)) return { grade: "line-ends" };
  if (hashes.canonical === undefined) {
    return { grade: sha256(toPlainText(copy)) === hashes.bytes ? "formatting" : "changed" };
  }
  try {
    const { canonical, contract } = schemaHashes(copy);
    if (canonical === hashes.canonical) return { grade: "formatting" };
    return { grade: contract === hashes.contract ? "documentation" : "changed" };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { grade: "unreadable", because: error.message, fault: error.fault };
  }
}

/** Bytes with LF as their line ends, which git turns into CRLF where `core.autocrlf` is set. */
export function withPlainLineEnds(source: string | Uint8Array): Buffer {
  const bytes = Buffer.from(source);
  if (!bytes.includes("\r\n")) return bytes;
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** Whether bytes have a hash, as they are or but for their line ends. The hash may be that of a text with CRLF. */
export function hasText(source: string | Uint8Array, hash: string | undefined): boolean {
  if (hash === undefined) return false;
  if (sha256(source) === hash) return true;
  const plain = withPlainLineEnds(source);
  if (sha256(plain) === hash) return true;
  return sha256(Buffer.from(plain.toString("latin1").replaceAll("\n", "\r\n"), "latin1")) === hash;
}

/** Text as this repository writes it: no byte-order mark, LF, one final newline. */
function toPlainText(source: string | Uint8Array): string {
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const body = text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n+$/, "");
  return body === "" ? "" : `${body}\n`;
}
