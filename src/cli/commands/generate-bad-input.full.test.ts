import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { DEV_TOOLS, ensurePythonEnv } from "../../../conformance/python-env.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const cwd = join(folder.path, "odd");
const TARGETS = "typescript,validators,python,pydantic,reference";
const generate = (...argv: string[]) => folder.run(["generate", ...argv], { cwd });
const write = (name: string, content: unknown) =>
  writeFileSync(join(cwd, name), JSON.stringify(content));

beforeEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
});

/** Keywords of TypeScript and Python, what objects inherit, and what the generated code uses itself. */
const RESERVED =
  "class function default delete new typeof void null true None False lambda def from import async await self cls match " +
  "constructor prototype toString hasOwnProperty __proto__ __init__ __class__ __slots__ value record fields field " +
  "dataclass Record UNSET Unset Mapping Any Literal to_dict from_dict unknown_fields _keys _decode _schemas " +
  "construct copy dict from_orm json model_fields mro parse_file parse_obj parse_raw register schema schema_json " +
  "update_forward_refs validate print list str int bool re check define";

const COLLIDING = [
  "a-b",
  "a_b",
  "a b",
  "a.b",
  "a_b_",
  "A-B",
  "1a",
  "_1a",
  "\u00e9",
  "e\u0301",
  "",
  "-",
  "$",
];
const NAMES = [...new Set([...RESERVED.split(" "), ...COLLIDING])];
const HOSTILE = 'ends */ here, """ and \\""" and ``` and \u0024{x} <script> \u2028 # {% %} \\';

const ODD = {
  title: "Odd",
  description: HOSTILE,
  type: "object",
  required: NAMES,
  properties: Object.fromEntries(
    NAMES.map((name) => [name, { type: "string", description: HOSTILE }]),
  ),
  additionalProperties: false,
};
const DEFINITIONS = {
  $defs: {
    ...Object.fromEntries(
      [
        "foo-bar",
        "FooBar",
        "foo_bar",
        "class",
        "None",
        "Record",
        "record",
        "Any",
        "string",
        "object",
      ].map((name) => [
        name,
        { type: "object", properties: { it: { const: name } }, required: ["it"] },
      ]),
    ),
    Many: {
      type: "object",
      properties: { e: { enum: Array.from({ length: 10_000 }, (_, at) => `m ${at}`) } },
    },
    Nothing: { not: {} },
    NoValue: { type: "string", minLength: 2, maxLength: 1 },
    Void: { type: "object", required: ["x"], properties: { x: { $ref: "#/$defs/Nothing" } } },
  },
};

test("names that collide, reserved words, hostile texts, many members, nothing: code that loads and judges rightly", async () => {
  write("odd.schema.json", ODD);
  write("more.schema.json", DEFINITIONS);
  const files = ["odd.schema.json", "more.schema.json"];
  const { exitCode, stdout, stderr } = await generate(...files, "--target", TARGETS);
  expect([exitCode, stderr]).toEqual([0, ""]);

  const whole = Object.fromEntries(NAMES.map((name) => [name, "s"]));
  const cases: [type: string, value: unknown, isValid: boolean][] = [
    ["Odd", whole, true],
    ...NAMES.map((name): [string, unknown, boolean] => {
      return [
        "Odd",
        Object.fromEntries(NAMES.map((each) => [each, each === name ? 1 : "s"])),
        false,
      ];
    }),
    ["Many", { e: "m 9999" }, true],
    ["Many", { e: "m 10000" }, false],
    ["Void", { x: 1 }, false],
  ];
  const { findErrors } = await import(join(cwd, "generated/typescript/index.js"));
  const verdicts = cases.map(([type, value]) => findErrors(type, value).length === 0);
  expect(verdicts).toEqual(cases.map(([, , isValid]) => isValid));

  const tsc = join(packageRoot(), "node_modules/typescript/bin/tsc");
  const options = "--noEmit --strict --module nodenext --moduleResolution nodenext".split(" ");
  writeFileSync(
    join(cwd, "generated/typescript/use.ts"),
    'import type { Odd } from "./index.js";\nexport const use = (odd: Odd): string => odd["a-b"] + odd.class + odd.__proto__;\n',
  );
  const compiled = [tsc, ...options, "generated/typescript/use.ts"];
  expect(execFileSync(process.execPath, compiled, { cwd, encoding: "utf8" })).toBe("");

  const [, name = ""] = /generated\/python\/(\w+)\//.exec(stdout) ?? [];
  const program = `
import json, sys
import ${name} as dataclasses
import ${name}_pydantic as models
def judge(module, name, value):
    try:
        return module.DEFINITIONS[name].from_dict(value).to_dict() == value
    except dataclasses.WireError:
        return False
print(json.dumps([[judge(module, name, value) for module in (dataclasses, models)] for name, value, _ in json.load(sys.stdin)]))`;
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const printed = execFileSync(python, ["-W", "error", "-c", program], {
    cwd: join(cwd, "generated/python"),
    input: JSON.stringify(cases),
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual(cases.map(([, , isValid]) => [isValid, isValid]));
});

test("a circle of files, and a pattern that backtracks, are an error with all places, and nothing is written", async () => {
  write("a.schema.json", {
    type: "object",
    properties: { b: { $ref: "b.schema.json" }, p: { pattern: "^(a|a)*$" } },
  });
  write("b.schema.json", {
    type: "object",
    properties: { a: { $ref: "a.schema.json" }, p: { pattern: "(x+x+)+y" } },
  });
  const { exitCode, stdout, stderr } = await generate("a.schema.json", "b.schema.json");
  expect([exitCode, stdout]).toEqual([1, ""]);
  for (const said of ["a.schema.json > b.schema.json > a.schema.json", "^(a|a)*$", "(x+x+)+y"]) {
    expect(stderr).toContain(said);
  }
  expect(existsSync(join(cwd, "generated"))).toBe(false);
});
