import type { Walk } from "./walk.js";

/**
 * Takes the secrets out of a record, or of any part of one: gives a copy of the same shape and never touches what
 * it was given. `record` is JSON: what `toSnapshot` or `JSON.parse` gives.
 */
export type Redact = <T extends object>(record: T) => T;

/** The same as work to be done in turns; the record is not to be changed until it is done. */
export type RedactInTurns = (record: object) => Walk<object>;
