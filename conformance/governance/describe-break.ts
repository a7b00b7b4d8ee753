import { escapeControls } from "../../src/records/escape-controls.js";
import type { Break } from "../compat/breaks-of.js";

const PROOFS = {
  backward: "this is valid before and not after",
  forward: "this is valid after and not before",
} as const;

/** A break for those who have to decide on it, in two lines: what and where, and the proof. */
export function describeBreak(each: Break): string {
  const { direction, entry, fingerprint, lens, message, pointer, rule, verdict } = each;
  const type = entry === "" ? "" : `${entry}: `;
  const place = `${type}${verdict} ${direction} (${lens}), ${rule} at ${pointer || "the root"}`;
  const proof =
    verdict === "breaking"
      ? `${PROOFS[direction]} (${message}): ${JSON.stringify(each.witness)}`
      : `nobody could say: ${message}`;
  return `${escapeControls(`${place}, fingerprint ${fingerprint}`)}\n  ${escapeControls(proof)}`;
}
