import { canonicalHash } from "../registry/schema-hashes.js";
import type { Direction } from "./compare-versions.js";

/** What tells a finding about two versions of a schema from every other: not its words, so that it keeps its approval. */
export interface FindingIdentity {
  /** Id of the rule, or the keyword, that is broken. */
  readonly rule: string;
  /** JSON Pointer of the place in the schema. */
  readonly pointer: string;
  /** Whose view it is: `validate` for the sets of records that are valid. */
  readonly lens: string;
  readonly direction: Direction;
  /** URI of the version that is broken with. */
  readonly schema: string;
}

/** Hexadecimal digits of a fingerprint: 64 bits, so that no two of a few thousand findings share one. */
const LENGTH = 16;

/** Fingerprint of a finding: the first digits of the SHA-256 of its identity in canonical form (RFC 8785). */
export function fingerprintOf(identity: FindingIdentity): string {
  const { rule, pointer, lens, direction, schema } = identity;
  const hash = canonicalHash({ rule, pointer, lens, direction, schema });
  return hash.replace("sha256:", "").slice(0, LENGTH);
}
