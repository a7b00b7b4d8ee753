import type { TextPosition } from "./locate-in-text.js";

/** What is wrong with a file of the repository, and where. */
export interface FaultPlace {
  /** What kind of fault it is, as the finding's id. */
  readonly id: string;
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  /** JSON Pointer into the file; "" is the file as a whole. */
  readonly pointer?: string;
  /** For a place that no pointer can name, such as one in a file that is not JSON. */
  readonly position?: TextPosition;
  /** A sentence that follows the place. */
  readonly message: string;
  /** Lines that show more, safe on a terminal. */
  readonly detail?: string;
}
