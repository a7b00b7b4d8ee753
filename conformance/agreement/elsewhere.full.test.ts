import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCount } from "../../src/base/testing/run-count.js";
import { type Adapter, parseAdapterCommand } from "./adapter.js";
import { measureAgreement } from "./agreement.js";
import {
  JudgedRepository,
  MODELS,
  PYTHON,
  TYPESCRIPT,
  usePython,
} from "./testing/judged-repository.js";

/** Schemas that use every keyword at once, one of them in an older draft. */
const everything = Object.fromEntries(
  ["everything", "older"].map((name) => {
    const file = join(import.meta.dirname, `testing/everything/${name}.schema.json`);
    return [name, JSON.parse(readFileSync(file, "utf8"))];
  }),
);
const repository = new JudgedRepository(everything, { formats: "assert" });
let restore = (): void => undefined;

beforeAll(async () => {
  restore = usePython();
  await repository.generate();
});

afterAll(() => {
  repository.remove();
  restore();
});

const SIZE = { withManyChanges: 500, places: 40 };

async function measure(adapters: readonly Adapter[] = [], size = SIZE) {
  const { checked, findings, notes } = await measureAgreement(repository.open(), adapters, {
    size,
  });
  const counts = new Map(checked.map(({ thing, count }) => [thing, count]));
  const named = Object.fromEntries(
    checked.flatMap(({ thing, names }) => (names ? [[thing, names]] : [])),
  );
  return {
    counts,
    named,
    notes,
    said: findings.map(({ file, message }) => `${file}: ${message}`),
    findings,
  };
}

test("without fixtures, five implementations agree on schemas with every keyword", async () => {
  const records = runCount(10_000, 10_000);
  const { counts, findings } = await measure([], { withManyChanges: records, places: 1_000 });
  expect(findings).toEqual([]);
  expect(counts.get("record")).toBeGreaterThanOrEqual(records);
  expect(counts.get("implementation")).toBe(5);
});

/** Faults of generated code: each in its file, and who departs from the others. */
const FAULTS: readonly (readonly [what: string, file: string, from: RegExp, to: string])[] = [
  ["typescript", `${TYPESCRIPT}/validators.js`, /v\d+\.length > 4/, "false"],
  ["typescript", `${TYPESCRIPT}/validators.js`, /maxItems: 3/, "maxItems: 4"],
  [
    "typescript",
    `${TYPESCRIPT}/runtime/values.js`,
    /^(export function isMultiple.*\{)/m,
    "$1 return true;",
  ],
  ["python", `${PYTHON}/_check.py`, /if node\.get\("uniqueItems"\)/, "if False"],
  ["python", `${PYTHON}/everything.py`, /"required": \["kind", "base"\]/, '"required": ["base"]'],
  ["python", `${PYTHON}/everything.py`, /compile\("\^\[a-z\]\{2\}/, 'compile("^[a-z]'],
];

test.each(FAULTS)("a fault of %s in %s is found: %s", async (what, file, from, to) => {
  const text = repository.read(file);
  const wrong = text.replace(from, to);
  expect(wrong).not.toBe(text);
  repository.write(file, wrong);
  try {
    const { findings } = await measure();
    expect(findings.length).toBeGreaterThan(0);
    const parties = findings.map(({ message }) => / and typescript differ on /.test(message));
    expect(parties).not.toContain(false);
    const others = new Set(findings.map(({ message }) => message.split(" ")[0]));
    // The first is the one that the others are compared with.
    if (what === "typescript") expect(others.size).toBeGreaterThan(1);
    else expect(others).toContain(what);
  } finally {
    repository.write(file, text);
  }
});

test("without packages, models are an error with what to install, and others are compared", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-python-"));
  const before = process.env.PATH;
  mkdirSync(join(folder, "bin"));
  // A Python without any packages.
  const text = `#!/bin/sh\nPATH='${before}' exec python3 -S "$@"\n`;
  writeFileSync(join(folder, "bin/python3"), text, { mode: 0o755 });
  process.env.PATH = `${join(folder, "bin")}:${before}`;
  try {
    const { named, notes, said } = await measure();
    expect(said).toEqual([
      `${MODELS}: the adapter pydantic ended with code 1: ModuleNotFoundError: No module named 'pydantic': python3 -m pip install pydantic`,
    ]);
    expect(named).toEqual({ implementation: ["typescript", "python", "ajv"] });
    expect(notes).toEqual([
      "without the referee jsonschema-rs: python3 -m pip install jsonschema-rs",
    ]);
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  }
});

/** Generated validators behind an adapter that reports only verdicts. */
function verdictsAlone(): Adapter {
  const program = `import { findErrors } from ${JSON.stringify(join(repository.root, TYPESCRIPT, "validators.js"))};
    let text = "";
    for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
    const lines = text.trimEnd().split("\\n");
    for (const line of lines) {
      const { id, type, record } = JSON.parse(line);
      console.log(JSON.stringify({ id, valid: findErrors(type, record).length === 0 }));
    }
    console.log(JSON.stringify({ summary: { count: lines.length } }));`;
  const args = ["--input-type=module", "-e", program];
  return { id: "verdicts alone", command: process.execPath, args };
}

test("an adapter with invalid output is an error, and one that gives verdicts alone is counted", async () => {
  const { counts, said } = await measure([
    parseAdapterCommand("node -e 'console.log(1)'"),
    verdictsAlone(),
  ]);
  expect(said).toEqual([
    "rollout-wire.config.json: the adapter node -e 'console.log(1)' printed \"1\" (line 1 of its output): not an AdapterVerdict: it must be an object, is 1",
  ]);
  expect(counts.get("implementation")).toBe(6);
  expect(counts.get("verdict-only record")).toBeGreaterThanOrEqual(counts.get("record") ?? 0);
});

test("adapters of the configuration run in the root", async () => {
  const other = new JudgedRepository(
    { task: { title: "Task", type: "string" } },
    {
      adapters: [["node", "lenient.mjs"]],
      outputs: [{ target: "validators", folder: TYPESCRIPT }],
    },
  );
  other.write(
    "lenient.mjs",
    `let text = "";
    for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
    const lines = text.trimEnd().split("\\n");
    for (const line of lines) console.log(JSON.stringify({ id: JSON.parse(line).id, valid: true }));
    console.log(JSON.stringify({ summary: { count: lines.length } }));`,
  );
  await other.generate();
  const { checked, findings } = await measureAgreement(other.open(), [], { size: SIZE });
  other.remove();
  const names = ["typescript", "ajv", "jsonschema-rs", "node lenient.mjs"];
  expect(checked).toContainEqual({ thing: "implementation", count: 4, names });
  expect(findings[0]?.message).toMatch(
    /^node lenient\.mjs and typescript differ on a record, as Task \(type\)/,
  );
  expect(findings[0]).toMatchObject({ file: "schemas/task.schema.json", line: 1 });
});
