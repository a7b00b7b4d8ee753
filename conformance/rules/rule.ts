import type { EntryTypeName } from "#generated/index.js";
import type { JsonObject } from "../../src/records/json-object.js";
import type { Severity } from "../finding.js";

/** One place in a record that breaks a rule. */
export interface RuleFault {
  readonly pointer: string;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
}

/** What JSON Schema cannot say about one record, such as that two of its fields agree. */
export interface Rule {
  readonly id: string;
  /** What a record that follows the rule is like, in one sentence. */
  readonly purpose: string;
  readonly severity: Severity;
  /** Faults of a record that is structurally valid for `type`. */
  check(record: JsonObject, type: EntryTypeName): readonly RuleFault[];
}
