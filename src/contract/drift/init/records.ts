import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundArtefact } from "#generated/index.js";
import { sha256 } from "../../../base/files/hash.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { loadVersion } from "../../compat/load-version.js";
import { childOf } from "../../compat/schema/schema-set.js";
import { validatorOf } from "../../compat/validators.js";
import type { Canonical } from "../canonical.js";
import { readRecordLines } from "../record-lines.js";
import { guessRecordType, type RecordType } from "./record-types.js";

/** Whether a file may hold records, by its name. */
export function isRecordFile(path: string): boolean {
  return /\.(jsonl|ndjson)$/.test(path);
}

interface RecordsContext {
  readonly canonical: Canonical;
  readonly types: readonly RecordType[];
}

/**
 * What the records of a JSONL file are, and how many the closest version of their schema rejects. None if at most half
 * of its lines are records of the format.
 */
export function findRecords(
  path: string,
  bytes: Buffer,
  { canonical, types }: RecordsContext,
): FoundArtefact[] {
  const lines = [...readRecordLines(bytes)].flatMap(({ record }) =>
    isJsonObject(record) ? [record] : [],
  );
  const groups = new Map<string, TypedRecords>();
  for (const record of lines) {
    const type = guessRecordType(record, types);
    if (type === undefined) continue;
    const known = groups.get(type.name);
    if (known === undefined) groups.set(type.name, { type, records: [record] });
    else known.records.push(record);
  }
  const known = [...groups.values()].sort(
    (one, other) => other.records.length - one.records.length,
  );
  const [main] = known;
  const recognised = known.reduce((sum, { records }) => sum + records.length, 0);
  if (main === undefined || 2 * recognised <= lines.length) return [];
  const { schema } = main.type;
  const own = known.filter(({ type }) => type.schema === schema);
  const { version, invalid } = findClosest(schema, own, canonical);
  const copied = findFixture(bytes, canonical);
  return [
    {
      kind: "fixture",
      path,
      schema,
      version,
      ...(copied !== undefined && { source: copied, grade: "identical" }),
      types: own.map(({ type, records }, index) => ({
        name: type.name,
        records: records.length,
        invalid: invalid[index] ?? 0,
      })),
    },
  ];
}

interface TypedRecords {
  readonly type: RecordType;
  readonly records: JsonObject[];
}

/** The version that rejects the fewest records, and how many of each type it rejects; of equals the newest. */
function findClosest(schema: string, groups: readonly TypedRecords[], canonical: Canonical) {
  let best: { version: string; invalid: number[]; sum: number } | undefined;
  for (const { version, text } of canonical.versionsOf(schema)) {
    const { root } = loadVersion({ name: schema, text, others: canonical.schemaTexts() });
    const definitions: unknown = isJsonObject(root.schema) ? root.schema.$defs : undefined;
    const invalid = groups.map(({ type: { name }, records }) => {
      if (!isJsonObject(definitions) || !Object.hasOwn(definitions, name)) return records.length;
      const validator = validatorOf(childOf(root, `/$defs/${name}`));
      return records.filter((record) => validator.isValid(record) === false).length;
    });
    const sum = invalid.reduce((one, other) => one + other, 0);
    if (best === undefined || sum < best.sum) best = { version, invalid, sum };
  }
  return best ?? { version: "0.0.0", invalid: [] };
}

/** The canonical fixture of which a file is a copy. */
function findFixture(bytes: Buffer, { root, registry }: Canonical): string | undefined {
  const fixtures = registry.repositories
    .flatMap(({ artefacts }) => artefacts)
    .filter(({ kind }) => kind === "fixture");
  const sources = [...new Set(fixtures.map(({ source }) => source))].filter((source) =>
    existsSync(join(root, source)),
  );
  const hash = sha256(bytes);
  return sources.find((source) => sha256(readFileSync(join(root, source))) === hash);
}
