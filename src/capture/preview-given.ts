import { previewValue } from "../records/preview-value.js";

/** Anything as a message shows it, also what is no JSON, or of which even the type is hard to tell. */
export function previewGiven(value: unknown): string {
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  try {
    return previewValue(value);
  } catch {
    // A proxy that was revoked.
    return "an object";
  }
}
