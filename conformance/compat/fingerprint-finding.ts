import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** What a finding is about, whatever its message says. */
export interface FindingIdentity {
  /** `$id` of the schema. */
  readonly schema: string;
  readonly rule: string;
  /** Where in the schema the keyword stands that changed. */
  readonly pointer: string;
  readonly direction: string;
  readonly lens: string;
}

/** The first 16 hexadecimal digits of the SHA-256 of the identity's RFC 8785 canonical form. */
export function fingerprintOf({ schema, rule, pointer, direction, lens }: FindingIdentity): string {
  const text = canonicalize({ schema, rule, pointer, direction, lens }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
