import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Said } from "./said-by.js";

/** What a finding is about, whatever its message says. */
export interface FindingIdentity {
  /** `$id` of the schema. */
  readonly schema: string;
  readonly rule: string;
  /** Where in the schema the keyword stands that changed. */
  readonly pointer: string;
  readonly direction: string;
  readonly lens: string;
  /** What both versions say there: a later change that goes further is another one. */
  readonly said: Said;
}

/** The first 16 hexadecimal digits of the SHA-256 of the identity's RFC 8785 canonical form. */
export function fingerprintOf({
  schema,
  rule,
  pointer,
  direction,
  lens,
  said,
}: FindingIdentity): string {
  const { old: older, new: newer } = said;
  const text =
    canonicalize({ schema, rule, pointer, direction, lens, old: older, new: newer }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
