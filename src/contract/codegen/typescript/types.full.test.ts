import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../base/package.js";
import { runCount } from "../../../base/testing/run-count.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { NodeModule } from "../testing/node-module.js";
import { sampleSchemas, toName, toNodes, valuesOf } from "../testing/random-nodes.js";

const SCHEMAS = runCount(1000, 150);

const MODES = { nodenext: "nodenext", esnext: "bundler" } as const;

/** What the compiler says of `program`, which imports types of the module. */
function compile(module: NodeModule, program: string, mode: keyof typeof MODES): string {
  writeFileSync(join(module.folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(module.folder, "program.ts"), program);
  const strict = ["strict", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess"];
  const args = [
    ...strict.map((option) => `--${option}`),
    ...["--noEmit", "--target", "es2022", "--types", "", "--skipLibCheck", "false"],
    ...["--module", mode, "--moduleResolution", MODES[mode]],
  ];
  const compiler = join(packageRoot(), "node_modules/typescript/bin/tsc");
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...args, "program.ts"], {
    cwd: module.folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

/** A JSON value as a type that only it has. */
function toLiteralType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteralType).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${toLiteralType(each)}`,
  );
  return `{ ${members.join("; ")} }`;
}

test("types of random schemas compile, and have every value that the guard accepts", async () => {
  const schemas = sampleSchemas(20_261_128, SCHEMAS);
  const nodes = toNodes(schemas);
  const module = await NodeModule.load(nodes);
  await module.writeTypes(nodes);
  const texts = schemas.flatMap((schema, number) => {
    const name = toName("root", number);
    const accepted = valuesOf(schema, number).filter((value) => module.is(name, value));
    return [...new Set(accepted.map(toLiteralType))].map((text) => [name, text] as const);
  });
  expect(texts.length).toBeGreaterThan(2 * SCHEMAS);
  const lines = texts.map(
    ([name, text], at) => `export const v${at}: N.${name} = null as unknown as ${text};`,
  );
  const program = ['import type * as N from "./out/nodes.js";', ...lines].join("\n");
  for (const mode of ["nodenext", "esnext"] as const) {
    // Declared fields are all that a type has: the compiler warns of a value that has none of them.
    const said = compile(module, program, mode)
      .split("\n")
      .filter((line) => line !== "" && !line.includes("TS2559"));
    expect(said.slice(0, 20)).toEqual([]);
  }
  module.remove();
});

/** Names and texts that break out of where they are printed, unless they are quoted. */
const ODD: Record<string, SchemaNode> = {
  Odd: {
    description: "Ends a comment: */ export const broken = 1; /* ` \\u{zz}",
    type: "object",
    properties: Object.fromEntries(
      [
        ...["$ref", "$id", "$schema", "", "a b", "a-b", "1a", "class", "constructor", "__proto__"],
        ...["toString", "hasOwnProperty", "extends", "id", "title", "enum", "odd_name_0_", "*/"],
        ...['"', "\\", "\n", "\u2028", "é", "😀", "default", "definitions", "nullable", "readonly"],
      ].map((name) => [name, { description: "*/", type: "string" } as const]),
    ),
    required: ["__proto__", "not declared", "$ref"],
    additionalProperties: false,
  },
  Open: { type: "object", properties: { a: { type: "string" } }, required: ["b", "toString"] },
  DataBase64def: { description: "The printer would write Def.", type: "string" },
  Mixed: {
    type: ["array", "object"],
    items: {
      allOf: [
        { $ref: "Open" },
        { anyOf: [{ $ref: "Tree" }, { type: "object", properties: { a: { enum: [1, 2] } } }] },
      ],
    },
    allOf: [
      { anyOf: [{ type: "array" }, { type: "object", properties: { b: { type: "null" } } }] },
    ],
  },
  Any_: { type: ["object", "null"], properties: { next: { $ref: "Any_" } } },
  Tree: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "Tree" } }] },
  Point: {
    type: "array",
    prefixItems: [{ type: "number" }, { type: "number" }],
    minItems: 2,
    items: { not: {} },
  },
  Row: {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "integer" }],
    items: { type: "null" },
  },
  Literals: {
    enum: ["a", "*/", 1, 1.5, -1e21, true, null, [1, ["b"]], { a: { __proto__: 1 } }, {}, []],
  },
  Nothing: { not: {} },
  Many: { enum: Array.from({ length: 10_000 }, (_, index) => `member ${index}`) },
  Map: {
    type: "object",
    patternProperties: { "^x-": { type: "number" } },
    additionalProperties: { type: "string" },
    properties: { own: { type: "boolean" } },
  },
  Beside: { $ref: "Open", properties: { c: { type: "integer" } } },
  Untyped: { properties: { a: { const: 1 } } },
};

test("odd names and texts are quoted, and types are as close as they can be", async () => {
  const module = await NodeModule.load(ODD);
  await module.writeTypes(ODD);
  const program = `
    import type { Any_, Beside, Literals, Map, Nothing, Odd, Open, Point, Row, Tree, Untyped } from "./out/nodes.js";
    import { isMap, isTree, findErrors } from "./out/validators.js";
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
    export const same: [
      Same<Point, [number, number]>,
      Same<Row, [] | [string] | [string, number, ...null[]]>,
      Same<Tree, string | Tree[]>,
      Same<Nothing, never>,
      Same<Odd["__proto__"], string>,
      Same<Odd["\\n"], string | undefined> extends true ? true : true,
      Same<Open["b"], unknown>,
      Same<Map["own"], boolean | undefined> extends true ? true : true,
      Same<NonNullable<Any_>["next"], Any_ | undefined> extends true ? true : true,
      Same<(Beside & object)["b"], unknown>,
    ] = [true, true, true, true, true, true, true, true, true, true];
    export const untyped: Untyped[] = ["text", 1, null, true, [1], { a: 1 }];
    export const literals: Literals[] = ["*/", 1.5, -1e21, [1, ["b"]], {}, []];
    const value: unknown = JSON.parse("{}");
    if (isTree(value)) findErrors("Tree", value satisfies string | Tree[]);
    export const x: number | string | boolean | undefined = isMap(value) ? value["x-a"] : 1;
    // @ts-expect-error: no such literal
    export const wrong: Literals = "b";
    // @ts-expect-error: a closed tuple
    export const long: Point = [1, 2, 3];
  `;
  for (const mode of ["nodenext", "esnext"] as const)
    expect(compile(module, program, mode)).toBe("");
  module.remove();
});
