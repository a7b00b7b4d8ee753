import type { Finding } from "../../src/findings/finding.js";
import { createFinding, locateInText } from "../../src/findings/finding.js";
import { findJsonDifferences } from "../../src/json/differences.js";
import { describeChange } from "./describe-change.js";
import { describeTextChange } from "./describe-text-change.js";
import { parseJson } from "./parse-json.js";

/** A record of an output, as its text stands there. */
export interface OutputRecord {
  readonly text: string;
  /** Line on which it begins, from 1. */
  readonly line: number;
  /** What a person calls it. */
  readonly name: string;
}

/** One finding for each field in which a record of `file` is not what is made now. */
export function compareRecords(
  file: string,
  expected: OutputRecord,
  actual: OutputRecord,
): Finding[] {
  const [left, right] = [parseJson(expected.text), parseJson(actual.text)];
  const differences = left && right ? findJsonDifferences(left.value, right.value) : [];
  const { name } = expected;
  const create = (pointer: string, message: string, detail: string): Finding => {
    const { line, column } = locateInText(expected.text, pointer);
    const position = { line: expected.line + line - 1, column };
    return createFinding({
      id: "golden",
      file,
      pointer,
      position,
      message: `${name}${message}`,
      detail,
    });
  };
  if (differences.length === 0) {
    const message = left === undefined ? " is not JSON" : ": the same values, written otherwise";
    return [create("", message, describeTextChange(`${expected.text}\n`, `${actual.text}\n`))];
  }
  return differences.map(({ pointer, left, right }) => {
    const field = pointer === "" ? "" : `, field ${pointer.slice(1)}`;
    return create(pointer, field, describeChange(left, right));
  });
}
