/** Options of `redactSecrets`. */
export interface RedactOptions {
  /**
   * Secrets that are known, such as the values of the runtime's own secret settings: wherever they stand they are
   * taken out. A function is asked anew for every record. Values of fewer than 6 characters are ignored.
   */
  readonly values?: Iterable<string> | (() => Iterable<string>);
  /**
   * Key of the hash in the placeholders. Random for each redactor by default, so that nobody can find a secret by
   * hashing guesses; give one for placeholders that are to be the same in several processes, and keep it secret.
   */
  readonly key?: string | Uint8Array;
}
