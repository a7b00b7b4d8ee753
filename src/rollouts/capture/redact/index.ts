/** Removes secrets from records: `rollout-wire/redact`. */

export type { Redact, RedactOptions } from "./redact.js";
export { redactSecrets } from "./redact-secrets.js";
