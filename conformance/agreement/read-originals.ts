import type { EntryTypeName } from "#generated/index.js";
import { entryTypes } from "#generated/index.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { contentPointer, type Fixture, toValues } from "../fixtures/fixture.js";
import { readFixtures } from "../fixtures/read-fixtures.js";
import type { CorpusRecord } from "./corpus-record.js";
import { toJsonText } from "./raw-json.js";

/** A record of a fixture as it is. */
export interface Original extends CorpusRecord {
  /** Undefined for one whose text parsing would change: nothing is made of it. */
  readonly value: unknown;
  readonly valid: boolean;
}

/**
 * The records of all fixtures below `root`. A text that is not JSON cannot be part of a request, and is
 * left out. Throws UserError when an entry type has no valid record.
 */
export function readOriginals(root: string): Original[] {
  const originals = readFixtures(root).flatMap(toOriginals);
  for (const { name } of entryTypes) requireSeed(name, originals);
  return originals;
}

function toOriginals(fixture: Fixture): Original[] {
  const { type, kind, file, source, content } = fixture;
  const valid = kind === "valid";
  return toValues(content).map((value, index) => ({
    type,
    value: "text" in content ? undefined : value,
    valid,
    text: "text" in content ? content.text.replaceAll(/[\r\n]/g, " ") : toJsonText(value),
    source: {
      file,
      source,
      pointer: contentPointer(content, "rollout" in content ? `/${index}` : ""),
      mutated: false,
    },
  }));
}

function requireSeed(name: EntryTypeName, originals: readonly Original[]): void {
  const found = originals.some(
    ({ type, valid, value }) => type === name && valid && value !== undefined,
  );
  if (found) return;
  throw new UserError(
    `no valid record of ${name} to make mutations of: add fixtures/valid/${name}/<case>.json`,
    EXIT.findings,
  );
}
