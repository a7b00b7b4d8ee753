import type { LockedHashes } from "#generated/index.js";
import { JsonTextError, type JsonTextFault } from "../hashes/json-text-error.js";
import { schemaHashes, sha256 } from "../registry/schema-hashes.js";

/** What the hashes of a file tell of a copy of it. */
export type HashGrade =
  | {
      /**
       * `formatting` when only layout, line ends, a byte-order mark or the newline at the end differ,
       * `documentation` when no verdict of a schema does either.
       */
      readonly grade: "identical" | "formatting" | "documentation" | "missing";
    }
  | {
      /** More may differ; hashes do not say what. */
      readonly grade: "changed";
    }
  | UnreadableCopy;

/** A copy of a schema of which nobody can say what it means. */
export interface UnreadableCopy {
  readonly grade: "unreadable";
  /** A sentence that follows the copy's name. */
  readonly because: string;
  /** Where in its text; absent for one that has a canonical form, but is no schema. */
  readonly fault?: JsonTextFault;
}

/** The grade of a copy, by the hashes of the file that it is a copy of; `copy` is undefined where there is none. */
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

/** A text file as this repository writes them: no byte-order mark, LF, one newline at the end. */
function toPlainText(source: string | Uint8Array): string {
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const body = text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n+$/, "");
  return body === "" ? "" : `${body}\n`;
}
