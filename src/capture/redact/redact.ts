/**
 * Takes the secrets out of a record, or of any part of one: gives a copy of the same shape and never touches what
 * it was given. `record` is JSON: what `toSnapshot` or `JSON.parse` gives.
 */
export type Redact = <T extends object>(record: T) => T;

/** The same, of a record that may take several turns of the event loop. */
export type RedactInTurns = (record: object) => object | Promise<object>;
