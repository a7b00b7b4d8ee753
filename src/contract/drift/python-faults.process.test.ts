import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DEV_TOOLS, ensurePythonEnv } from "../../../conformance/python-env.js";
import { toTextPosition } from "../../base/findings/finding.js";
import { packageRoot } from "../../base/package.js";
import { runCount } from "../../base/testing/run-count.js";
import { schemaHashes } from "../schemas/hashes.js";
import { JsonTextError } from "../schemas/json-text.js";

const SEED = 20260102;

function explainInTypescript(text: string): unknown {
  try {
    schemaHashes(text);
    return null;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { id, pointer, message, offset } = error.fault;
    const { line, column } = toTextPosition(text, offset);
    return [id, pointer, message, line, column];
  }
}

function explainInPython(texts: readonly string[]): unknown[] {
  const { stdout, stderr, status } = spawnSync(
    ensurePythonEnv(packageRoot(), DEV_TOOLS),
    [join(packageRoot(), "conformance/python/explain_texts.py")],
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
  const found = explainInPython(texts);
  const pairs = texts.map((text, index) => ({ text, fault: found[index] }));
  expect(pairs).toEqual(texts.map((text) => ({ text, fault: explainInTypescript(text) })));
}

test("Python and TypeScript say the same about texts that have no canonical form", () => {
  expectAgreement([
    "",
    " \n",
    '{"lock',
    "<<<<<<< HEAD\n",
    '{\n  "a": 1,\n=======\n  "b": 2\n}',
    "{} {}",
    "[1 2]",
    '{"a" 1}',
    "{a: 1}",
    "{'a': 1}",
    '{"a": 1,}',
    "[1,]",
    "[NaN]",
    '{"a": undefined}',
    "[True]",
    "tru",
    "[truth]",
    "[01]",
    "[-]",
    "[-x]",
    "[1.]",
    "[1.x]",
    "[1e]",
    "[1e+]",
    "[.5]",
    "[+1]",
    '["\t"]',
    '["\\x"]',
    '["\\u12"]',
    '["\\u12g4"]',
    '["\\',
    '["é😀", x]',
    '["é😀",\n"é😀" x]',
    '{"a": 1, "b": {"c": 1, "c": 2}, "b": 3}',
    '{"a/~": {"b": 1, "\\u0062": 2}}',
    '{"a": ["\\ud800"]}',
    '{"\\ude00": 1}',
    '["\\ud83d\\ude00", "\\ude00\\ud83d"]',
    "[1e400]",
    '{"a": -1e400}',
    `${"[".repeat(201)}${"]".repeat(201)}`,
    `${"[".repeat(200)}${"]".repeat(200)}`,
    "[".repeat(100_000),
    "/* a */ {}",
    "\u2028",
    '{"a": "\u202e"}x',
  ]);
});

test("also about any broken text", () => {
  const broken = fc
    .tuple(fc.jsonValue({ maxDepth: 3 }), fc.nat(), fc.constantFrom(0, 1, 2, 5), fc.string())
    .map(([value, at, count, insert]) => {
      const text = JSON.stringify(value, null, 1);
      const start = at % (text.length + 1);
      return `${text.slice(0, start)}${insert}${text.slice(start + count)}`;
    });
  const symbols = fc.array(
    fc.constantFrom("{", "}", "[", "]", ":", ",", '"', "\\", "\\u", "a", "1", "-", ".", "e", "+"),
    { maxLength: 12 },
  );
  const words = fc.array(fc.constantFrom("true", "tr", "nul", "fals", "0", "[", ",", "\n", '"a"'));
  const any = fc.oneof(
    broken,
    symbols.map((parts) => parts.join("")),
    words.map((parts) => parts.join("")),
  );
  expectAgreement(fc.sample(any, { numRuns: runCount(3000), seed: SEED }));
});
