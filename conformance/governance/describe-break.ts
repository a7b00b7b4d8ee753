import type { Break } from "../compat/breaks-of.js";

/** A break for those who have to decide on it: the rule and the place, its fingerprint, and the proof. */
export function describeBreak({ rule, message, lens, fingerprint, detail }: Break): string {
  const lines = [`by ${lens}, fingerprint ${fingerprint}`, ...(detail?.split("\n") ?? [])];
  return [`${rule} ${message}`, ...lines.map((line) => `  ${line}`)].join("\n");
}
