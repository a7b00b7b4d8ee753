/** What goes from one thread to another with its memory, instead of being copied. */
export interface Moved {
  /** That memory, each piece once; whoever is done with the rest of it may use it again. */
  readonly buffers: readonly ArrayBuffer[];
}
