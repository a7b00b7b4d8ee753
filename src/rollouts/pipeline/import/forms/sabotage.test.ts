import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { NonFiniteParser } from "../../../../base/json/non-finite.js";
import { isJsonObject, tryParseJson } from "../../../../base/json/value.js";
import { type Imported, splitRecords } from "../reader.js";
import { recogniseForm, unwrapArrays } from "../recognise.js";
import { NO_VALUES, PLACE, SETTINGS } from "../testing/read-row.js";
import { forms } from "./index.js";

const FIXTURES = fileURLToPath(new URL("../../../../../fixtures/import/", import.meta.url));

/** The values of the texts in a file: of the whole, or of its lines. */
function readValues(file: string): unknown[] {
  const text = readFileSync(`${FIXTURES}${file}`, "utf8");
  const texts = file.endsWith(".jsonl") ? text.trimEnd().split("\n") : [text];
  return texts.map((each) => new NonFiniteParser().parse(each));
}

const formOf = (values: readonly unknown[]) => recogniseForm(unwrapArrays(values));

/** Every fixture of a form: it is covered as soon as it is there. */
const FILES = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:jsonl?|traj)$/.test(file) && !basename(file).startsWith("expected."))
  .filter((file) => formOf(readValues(file)) !== undefined)
  .toSorted();

/** What becomes of each record in the texts of a file; undefined if the file is refused. */
function readFile(values: readonly unknown[]): Imported[] | undefined {
  const form = formOf(values);
  if (form === undefined) return undefined;
  // Each alone, because a record that fails changes the positions of those after it.
  const createReader = () => form.createReader(SETTINGS, NO_VALUES, values);
  const { split = splitRecords } = createReader();
  const isJoined = form.joinsLines === true;
  const texts = isJoined ? [{ ...values }] : values;
  const parts = texts.map((text) => split(text, PLACE));
  if (parts.some(({ length }) => length === 0)) return undefined;
  return parts.flat().map(({ value, fault, leftOut, warnings = [], tally }): Imported => {
    if (leftOut !== undefined) return { kind: "left-out", fault: leftOut };
    if (fault !== undefined) return { kind: "faulty", faults: [fault] };
    const read = createReader().read(value, PLACE);
    if (read.kind !== "branch") return read;
    if (tally) read.tally.add(tally);
    return { ...read, warnings: [...read.warnings, ...warnings] };
  });
}

/** What a tool was called with, and what it accepts: their keys are the user's words. */
const FREE_KEYS = ["arguments", "args", "input", "parameters", "input_schema"];

/** The keys of a value at any depth, also inside JSON texts. */
function keysOf(value: unknown): string[] {
  const inner = parseText(value) ?? value;
  if (Array.isArray(inner)) return inner.flatMap(keysOf);
  if (!isJsonObject(inner)) return [];
  return Object.entries(inner).flatMap(([key, each]) => [
    key,
    ...(FREE_KEYS.includes(key) ? [] : keysOf(each)),
  ]);
}

/** A copy in which a key has another name, wherever it is. */
function rename(value: unknown, from: string, to: string): unknown {
  const parsed = parseText(value);
  if (parsed !== undefined) return JSON.stringify(rename(parsed, from, to));
  if (Array.isArray(value)) return value.map((each) => rename(each, from, to));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key === from ? to : key,
    FREE_KEYS.includes(key) ? each : rename(each, from, to),
  ]);
  return Object.fromEntries(entries);
}

function parseText(value: unknown): unknown {
  const parsed = typeof value === "string" ? tryParseJson(value) : undefined;
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}

/** What an import has of a record, without the copy of what it did not read, and without generated names. */
function toText(imported: Imported | undefined): string {
  if (imported?.kind !== "branch") return "";
  const { imported_from: _, rollout_id: __, session_id: ___, ...branch } = imported.branch;
  // Nothing was said either way.
  return JSON.stringify(branch).replaceAll('"output":""', '"output":null');
}

const unreadOf = (imported: Imported | undefined): string[] =>
  imported?.kind === "branch" ? [...imported.tally.unread.keys()] : [];

/** Tells whether the user learns that something is lacking: by an error, a reason, a warning or a named count. */
function isTold(
  imported: Imported | undefined,
  whole: Imported | undefined,
  name: string,
): boolean {
  if (imported?.kind !== "branch") return imported !== undefined;
  const known = unreadOf(whole);
  const isUnread = unreadOf(imported).some((place) => !known.includes(place));
  // Tools may have fields of their own, and so may what they return: they are kept.
  return isUnread || imported.warnings.length > 0 || toText(imported).includes(name);
}

test("every form has a fixture", () => {
  const found = new Set(FILES.map((file) => formOf(readValues(file))?.id));
  expect(forms.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});

describe.each(FILES)("%s", (file) => {
  test("whatever field has another name, something is said, or nothing is lost", () => {
    const values = readValues(file);
    const keys = [...new Set(values.flatMap(keysOf))];
    const whole = readFile(values) ?? [];
    expect(keys.length > 0 && whole.length > 0).toBe(true);
    const silent = keys.filter((key) => {
      const name = `zz_${key}`;
      const found = readFile(values.map((value) => rename(value, key, name)));
      if (found === undefined) return false;
      if (found.length !== whole.length) return !found.some((each) => isTold(each, whole[0], name));
      return found.some(
        (each, index) => toText(each) !== toText(whole[index]) && !isTold(each, whole[index], name),
      );
    });
    expect(silent).toEqual([]);
  });
});
