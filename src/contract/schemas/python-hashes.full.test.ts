import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DEV_TOOLS, ensurePythonEnv } from "../../../conformance/python-env.js";
import { packageRoot } from "../../base/package.js";
import { runCount } from "../../base/testing/run-count.js";
import { arbitrarySchema } from "../compat/testing/arbitrary-schema.js";
import { listJsonFiles } from "./artefacts.js";
import { schemaHashes } from "./hashes.js";
import { JsonTextError } from "./json-text.js";

const SEED = 20260101;

function hashInTypescript(text: string): unknown {
  try {
    return schemaHashes(text);
  } catch (error) {
    if (error instanceof JsonTextError) return { fault: error.fault.id };
    throw error;
  }
}

function hashInPython(texts: readonly string[]): unknown[] {
  const { stdout, stderr, status } = spawnSync(
    ensurePythonEnv(packageRoot(), DEV_TOOLS),
    [join(packageRoot(), "conformance/python/hash_texts.py")],
    {
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: join(packageRoot(), "generated/python") },
      input: JSON.stringify(texts),
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function expectAgreement(texts: readonly string[]): void {
  expect(texts.length).toBeGreaterThan(0);
  const hashes = texts.map(hashInTypescript);
  expect(hashInPython(texts)).toEqual(hashes);
}

function readText(file: string): string {
  return readFileSync(join(packageRoot(), file), "utf8");
}

test("Python and TypeScript agree on the vectors of the canonical form", () => {
  const vectors: { text: string; canonical?: string }[] = JSON.parse(
    readText("fixtures/hashes/canonical.json"),
  );
  expectAgreement(vectors.flatMap(({ text, canonical = text }) => [text, canonical]));
});

test("on the vectors of the contract, and on the pairs of schemas", () => {
  const groups: { schemas: unknown[] }[] = JSON.parse(readText("fixtures/hashes/contract.json"));
  const pairs: { old: unknown; new: unknown }[] = JSON.parse(
    readText("fixtures/compat/pairs.json"),
  );
  const schemas = [
    ...groups.flatMap((group) => group.schemas),
    ...pairs.flatMap((pair) => [pair.old, pair.new]),
  ];
  expect(schemas.length).toBeGreaterThan(180);
  expectAgreement(schemas.map((each) => JSON.stringify(each, undefined, 2)));
});

test("on every schema, published or not", () => {
  const files = listJsonFiles(packageRoot(), "schema");
  expect(files.length).toBeGreaterThan(10);
  expectAgreement(files.map(readText));
});

test("on any JSON, including supplementary characters and lone surrogates", () => {
  const text = fc.string({ unit: "binary" });
  const half = fc.constantFrom("\ud83d", "\ude00");
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const value = fc.oneof(
    { weight: 20, arbitrary: fc.jsonValue({ stringUnit: "binary", maxDepth: 4 }) },
    { weight: 5, arbitrary: fc.dictionary(text, fc.oneof(number, fc.maxSafeInteger(), text)) },
    { weight: 1, arbitrary: half },
  );
  expectAgreement(
    fc.sample(value, { numRuns: runCount(3000), seed: SEED }).map((each) => JSON.stringify(each)),
  );
});

test("on any number, in any notation", () => {
  const bits = fc.double({ noNaN: true, noDefaultInfinity: true });
  const written = fc
    .tuple(bits, fc.integer({ min: 0, max: 20 }))
    .chain(([each, digits]) =>
      fc.constantFrom(String(each), each.toExponential(), each.toExponential(digits), `[${each}]`),
    );
  const short = fc
    .tuple(fc.integer({ min: -99999, max: 99999 }), fc.integer({ min: -330, max: 310 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`);
  expectAgreement(fc.sample(fc.oneof(written, short), { numRuns: runCount(5000), seed: SEED }));
});

test("on any schema, with annotations, definitions and references", () => {
  const reference = fc.constantFrom("#/$defs/A", "#/$defs/B", "#", "#/anyOf/0", "urn:x#/$defs/A");
  const schema = fc
    .record({
      anyOf: fc.array(arbitrarySchema, { minLength: 1, maxLength: 3 }),
      $defs: fc.record({ A: arbitrarySchema, B: fc.record({ $ref: reference }) }),
      $ref: reference,
      title: fc.string(),
      $id: fc.constantFrom("https://a.example/x", "urn:x", "x"),
      "x-note": fc.record({ $ref: reference }),
    })
    .map(({ $ref, ...rest }) => (rest.title.length > 2 ? { ...rest, $ref } : rest));
  expectAgreement(
    fc.sample(schema, { numRuns: runCount(1000), seed: SEED }).map((each) => JSON.stringify(each)),
  );
});
