import type { LockedHashes } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { schemaHashes } from "../schemas/hashes.js";
import { JsonTextError, type JsonTextFault } from "../schemas/json-text.js";

/** The grade of a copy according to hashes. */
export type HashGrade =
  | {
      /**
       * `formatting`: only layout, line ends, a byte-order mark or the final newline differ. `documentation`: the
       * contract is the same.
       */
      readonly grade: "identical" | "formatting" | "documentation" | "missing";
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

/** Text as this repository writes it: no byte-order mark, LF, one final newline. */
function toPlainText(source: string | Uint8Array): string {
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const body = text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n+$/, "");
  return body === "" ? "" : `${body}\n`;
}
