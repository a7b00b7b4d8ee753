import type { EntryTypeName } from "#generated/index.js";
import { entryTypes } from "#generated/index.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { contentPointer, type Fixture, toValue } from "../fixtures/fixture.js";
import { readFixtures } from "../fixtures/read-fixtures.js";
import type { CorpusRecord, RecordSource } from "./corpus-record.js";
import { toJsonText } from "./raw-json.js";

/** A record of a fixture as it is. */
export interface Original extends CorpusRecord {
  /** Undefined for one whose text parsing would change: nothing is made of it. */
  readonly value: unknown;
  readonly valid: boolean;
}

export interface Originals {
  readonly originals: readonly Original[];
  /** Fixtures with a text that is not JSON, which cannot be part of a request. */
  readonly leftOut: number;
}

/** The records of all fixtures below `root`. Throws UserError when an entry type has no valid record. */
export function readOriginals(root: string): Originals {
  const fixtures = readFixtures(root);
  const sendable = fixtures.filter(({ content }) => toValue(content) !== undefined);
  const originals = sendable.flatMap(toOriginals);
  for (const { name } of entryTypes) requireSeed(name, originals);
  return { originals, leftOut: fixtures.length - sendable.length };
}

function toOriginals(fixture: Fixture): Original[] {
  const { type, kind, content } = fixture;
  const valid = kind === "valid";
  if ("record" in content) {
    const { record } = content;
    return [
      { type, valid, value: record, text: toJsonText(record), source: sourceOf(fixture, "") },
    ];
  }
  if ("rollout" in content) {
    return content.rollout.map((branch, index) => {
      const source = sourceOf(fixture, `/${index}`);
      return { type, valid, value: branch, text: toJsonText(branch), source };
    });
  }
  const text = content.text.replaceAll(/[\r\n]/g, " ");
  return [{ type, valid, value: undefined, text, source: sourceOf(fixture, "") }];
}

function sourceOf({ file, source, content }: Fixture, pointer: string): RecordSource {
  return { file, source, pointer: contentPointer(content, pointer), mutated: false };
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
