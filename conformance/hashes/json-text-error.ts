import { UserError } from "../../src/user-error.js";

/** Why a text has no canonical form. */
export interface JsonTextFault {
  /**
   * `json` when it is not JSON in UTF-8, `depth` when it is nested too deep, `duplicate-key` and
   * `well-formed-unicode` as the semantic rules of these names, `number` for one beyond a double.
   */
  readonly id: "json" | "depth" | "duplicate-key" | "well-formed-unicode" | "number";
  /** Where it is at fault; "" is the text as a whole. */
  readonly pointer: string;
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
  /** A sentence that follows the place, safe on a terminal. */
  readonly message: string;
}

/** A text has no canonical form, so that it has no hashes either. */
export class JsonTextError extends UserError {
  readonly fault: JsonTextFault;

  constructor(fault: JsonTextFault) {
    super(`${fault.pointer} ${fault.message}`.trim());
    this.fault = fault;
  }
}
