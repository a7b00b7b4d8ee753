import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { targets } from "../../src/contract/codegen/targets/index.js";
import { createInput } from "../../src/contract/codegen/testing/create-input.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { runTool } from "./testing/run-tool.js";

const root = mkdtempSync(join(tmpdir(), "rollout-wire-large-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TYPES = [
  { type: "string", pattern: "^[a-z]{1,20}$" },
  { type: "integer", minimum: 0 },
  { type: "array", items: { type: "array", items: { $ref: "other.schema.json#/$defs/Part1" } } },
  { enum: ["a", "b", null] },
  { anyOf: [{ type: "number" }, { $ref: "other.schema.json#/$defs/Part2" }] },
  { type: "object", additionalProperties: { type: "boolean" } },
];

const FILES = {
  "wide.schema.json": {
    type: "object",
    required: ["f0"],
    properties: Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`f${at}`, TYPES[at % TYPES.length]]),
    ),
  },
  "other.schema.json": {
    $defs: Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `Part${at}`,
        { type: "object", properties: { class: { const: at }, own: {} }, required: ["class"] },
      ]),
    ),
  },
};

beforeAll(async () => {
  const outputs = (["typescript", "validators", "python", "pydantic"] as const).map((target) => {
    const names = { python: "python/large", pydantic: "python/large_pydantic" };
    const folder = target === "python" || target === "pydantic" ? names[target] : "typescript";
    return { target, folder };
  });
  for (const { target, folder } of outputs) {
    const input = createInput(FILES, { folder, outputs });
    for (const each of targets[target]) {
      for (const { path, text } of await each.generate(input)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    }
  }
});

test("type checkers accept a package of 800 fields, and see no function in its modules", () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const config = {
    ...{ typeCheckingMode: "strict", pythonVersion: "3.10", include: ["python"] },
    ...{ venvPath: packageRoot(), venv: DEV_TOOLS.folder, extraPaths: ["python"] },
  };
  writeFileSync(join(root, "pyrightconfig.json"), JSON.stringify(config));
  const pyright = join(packageRoot(), "node_modules/pyright/index.js");
  const { summary } = JSON.parse(runTool(process.execPath, [pyright, "--outputjson"], root));
  expect(summary).toMatchObject({ errorCount: 0, warningCount: 0 });
  expect(summary.filesAnalyzed).toBeGreaterThan(10);
  const mypy = runTool(python, ["-m", "mypy", "--strict", "large"], join(root, "python"));
  expect(mypy).toMatch(/^Success: no issues found in \d+ source files\n$/);
  const count =
    "import ast, sys\nprint(sum(isinstance(each, ast.FunctionDef) for each in ast.walk(ast.parse(open(sys.argv[1]).read()))))";
  // `_schemas` alone.
  expect(runTool(python, ["-c", count, "python/large/wide.py"], root)).toBe("1\n");
});

test("a record of 600 fields comes back, and faults are found", () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const program = `
from dataclasses import replace
import large, large_pydantic
value = {"f6": "b", "f0": "a", "f1": 2.0, "f2": [[{"class": 1}]], "f4": {"class": 2}, "f5": {"x": True}, "more": None}
record = large.Wide.from_dict(value)
assert record.to_dict() == value and list(record.to_dict()) == list(value), record.to_dict()
assert type(record.f1) is int and record.f2 == ((large.Part1(class_=1),),), record
assert isinstance(record.f4, large.Part2) and record.unknown_fields == {"more": None}
assert record == large.Wide.from_dict(value) and replace(record, f0="c").to_dict()["f0"] == "c"
for invalid in ({}, {**value, "f0": "A"}, {**value, "f595": -1}, {**value, "f2": [[{"class": 2}]]}, {**value, "f4": {}}):
    try:
        large.Wide.from_dict(invalid)
    except large.WireError as error:
        print(sorted(f"{fault.pointer} {fault.keyword}" for fault in error.faults))
try:
    large.Wide(f0="A")
except large.WireError as error:
    print(error.faults[0].pointer)
assert large_pydantic.Wide.from_dict(value).to_dict() == value
`;
  const printed = runTool(python, ["-c", program], join(root, "python"));
  expect(printed.trim().split("\n")).toEqual([
    "[' required']",
    "['/f0 pattern']",
    "['/f595 minimum']",
    "['/f2/0/0/class const']",
    "['/f4 required']",
    "/f0",
  ]);
});

test("TypeScript compiles, and a guard brings only its own definition", async () => {
  const tsc = join(packageRoot(), "node_modules/typescript/bin/tsc");
  const use =
    'import { isWide } from "./index.js";\nexport const f0 = (v: unknown) => (isWide(v) ? v.f0 : "");\n';
  writeFileSync(join(root, "typescript/use.ts"), use);
  const options = "--noEmit --strict --module nodenext --moduleResolution nodenext".split(" ");
  expect(runTool(process.execPath, [tsc, ...options, "typescript/use.ts"], root)).toBe("");
  const { outputFiles } = await build({
    stdin: {
      contents: 'export { isPart7 } from "./validators.js";',
      resolveDir: `${root}/typescript`,
    },
    ...{ bundle: true, minify: true, write: false, format: "esm" },
  });
  expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(5000);
});
