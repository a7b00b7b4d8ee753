/** An implementation behind the process protocol of docs/adapters.md. */
export interface Adapter {
  /** How findings call it. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * File that a finding about the adapter itself names, from the repository's root: its own, or of a
   * foreign one the protocol that it breaks.
   */
  readonly file: string;
  /** Into how many processes the records are parted, at least 1; for an implementation that is slow. */
  readonly processes: number;
}
