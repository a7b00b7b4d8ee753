import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Feature, type Features, isJson, isList, isValue } from "../../base/json/feature.js";
import { toJsonl } from "../../base/json/print.js";
import { isJsonObject } from "../../base/json/value.js";
import { readLines } from "../../base/parquet/testing/read-lines.js";
import { runCount } from "../../base/testing/run-count.js";
import { exportRollouts } from "../wire/export/export-rollouts.js";
import { isTargetId, targets } from "../wire/export/targets/index.js";
import { OUTPUT_KINDS } from "../wire/export/targets/target.js";
import { branchArbitrary } from "../wire/export/testing/branch-arbitrary.js";
import { rolloutArbitrary } from "../wire/export/testing/rollout-arbitrary.js";
import { createEncoder, type RecordEncoding } from "./encoders.js";

const branches = fc.oneof(
  rolloutArbitrary,
  fc.array(branchArbitrary, { minLength: 1, maxLength: 6 }),
);

async function encode(
  jsonl: string,
  encoding: RecordEncoding | undefined,
  cut: number = jsonl.length,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const encoder = await createEncoder(
    encoding,
    async (bytes) => void parts.push(Buffer.from(bytes)),
  );
  // Encoders get whole lines.
  const middle = jsonl.lastIndexOf("\n", cut) + 1;
  for (const part of [jsonl.slice(0, middle), jsonl.slice(middle)]) {
    await encoder.write(Buffer.from(part));
  }
  await encoder.finish();
  return Buffer.concat(parts);
}

function parse(line: string): unknown {
  return JSON.parse(line);
}

test.each(Object.keys(targets).filter(isTargetId))(
  "random records of %s come back from Parquet",
  async (target) => {
    await fc.assert(
      fc.asyncProperty(branches, async (some) => {
        const exported = exportRollouts(some, { target, exportedAtMs: 1 });
        for (const kind of OUTPUT_KINDS) {
          const features = targets[target].features[kind];
          if (features === undefined) continue;
          const jsonl = toJsonl(exported[kind]);
          const lines = await readLines(await encode(jsonl, { id: "parquet", features }));
          expect(lines.map(parse)).toEqual(jsonl.split("\n").slice(0, -1).map(parse));
        }
      }),
      { numRuns: runCount(500, 15) },
    );
  },
);

/** Records that fit the features; some have not every column. */
function recordArbitrary(features: Features): fc.Arbitrary<object> {
  return fc.record(valuesOf(features, valueArbitrary), { requiredKeys: [] });
}

function valueArbitrary(feature: Feature): fc.Arbitrary<unknown> {
  // As a column, a Json null is no value at all.
  if (isJson(feature)) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  if (isList(feature)) return fc.array(valueArbitrary(feature.feature), { maxLength: 3 });
  if (isValue(feature)) return SCALARS[feature.dtype] ?? fc.constant(undefined);
  return fc.record(valuesOf(feature, valueArbitrary));
}

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.string({ unit: "binary" }),
  int64: fc.maxSafeInteger(),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.boolean(),
};

function valuesOf<Value>(
  features: Features,
  map: (feature: Feature) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(features).map(([name, feature]) => [name, map(feature)]),
  );
}

test.each(Object.keys(targets).filter(isTargetId))(
  "whatever fits the columns of %s comes back from Parquet",
  async (target) => {
    for (const features of Object.values(targets[target].features)) {
      await fc.assert(
        fc.asyncProperty(fc.array(recordArbitrary(features), { maxLength: 5 }), async (records) => {
          const lines = records.map((record) => JSON.stringify(record));
          const jsonl = lines.map((line) => `${line}\n`).join("");
          const read = await readLines(await encode(jsonl, { id: "parquet", features }));
          expect(read.map(parse).map(withoutNulls)).toEqual(lines.map(parse));
        }),
        { numRuns: runCount(300, 8) },
      );
    }
  },
);

/** A random record lacks columns that its type requires. The reader says that they are null. */
function withoutNulls(record: unknown): unknown {
  const fields = isJsonObject(record) ? Object.entries(record) : [];
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

test.each([{ id: "gzip" }, { id: "parquet", features: {} }] as const)(
  "an error of the file is thrown, and nothing waits for ever: %j",
  async (encoding) => {
    const failure = new Error("no space is left");
    const encoder = await createEncoder(encoding, async () => {
      // Meanwhile the lines wait for the stream.
      await delay(50);
      throw failure;
    });
    const write = async (): Promise<void> => {
      // Random bytes, so that compressed ones come out soon.
      const noise = randomBytes(2 ** 20).toString("hex");
      for (let count = 0; count < 100; count += 1) {
        await encoder.write(Buffer.from(encoding.id === "gzip" ? `${noise}\n` : "{}\n"));
      }
      await encoder.finish();
    };
    await expect(write()).rejects.toBe(failure);
    await encoder.abandon();
  },
);
