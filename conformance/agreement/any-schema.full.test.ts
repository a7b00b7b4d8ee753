import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { runCount } from "../../src/base/testing/run-count.js";
import { createPythonModel } from "../../src/contract/codegen/python/build-model.js";
import { pydantic } from "../../src/contract/codegen/targets/pydantic.js";
import { python } from "../../src/contract/codegen/targets/python.js";
import { NodeModule, toInput } from "../../src/contract/codegen/testing/node-module.js";
import {
  sampleSchemas,
  toNodes,
  valuesOf,
} from "../../src/contract/codegen/testing/random-nodes.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";

const SCHEMAS = runCount(2000, 120);
const FOLDER = "any_schema";

/** Names that are no names in Python, or two that become one. */
const ODD_NAMES: Readonly<Record<string, SchemaNode>> = Object.fromEntries(
  ["", "class", "x-y", "x_y", "$schema", "__proto__", "to_dict"].map((name) => [
    name,
    { type: name === "" || name === "$schema" ? "string" : "integer" },
  ]),
);

/** Closed objects with names that only a pattern allows: what such a name holds must come back. */
const PATTERNED: SchemaNode = {
  type: "object",
  properties: { a: { type: "string" } },
  patternProperties: { "^x-": { type: "string" } },
  additionalProperties: false,
};
const CLOSED: Readonly<Record<string, SchemaNode>> = {
  Patterned: PATTERNED,
  Merged: { type: "object", properties: { a: { type: "string" } }, allOf: [PATTERNED] },
  // Objects in place are named after properties, which may have any name.
  Odd: { type: "object", properties: { $a: { type: "object", properties: { b: {} } } } },
};

/** Arrays of objects or of one of two arrays of objects or of, and so on: so many ways need functions in Python. */
const LAYERS = 5;
const DEEP: Readonly<Record<string, SchemaNode>> = Object.fromEntries(
  Array.from({ length: LAYERS }, (_, layer) =>
    ["L", "R"].map((side): [string, SchemaNode] => {
      const next = ["L", "R"].map((each) => ({ $ref: `Deep${each}${layer + 1}` }));
      const properties = { [side]: { type: "integer" as const } };
      const leaf = { type: "object" as const, properties, required: [side] };
      const anyOf = layer === LAYERS - 1 ? [leaf] : [leaf, ...next];
      return [`Deep${side}${layer}`, { type: "array", items: { anyOf } }];
    }),
  ).flat(),
);
const deepSchema = JSON.parse(
  JSON.stringify({ $ref: "DeepL0", $defs: DEEP }).replaceAll('"$ref":"', '"$ref":"#/$defs/'),
);
const deep = (leaf: unknown): unknown =>
  Array.from({ length: LAYERS }).reduce((inner) => [inner, inner], leaf);

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly values: readonly unknown[];
}

/** Each schema by itself, and as the types of two fields of an object: one by reference, one in place. */
function casesOf(schemas: readonly SchemaNode[], nodes: Record<string, SchemaNode>): Case[] {
  return schemas.flatMap((schema, number) => {
    const { $defs, ...inner } = schema;
    const values = valuesOf(schema, number);
    const root = nodes[`Root${number}`] ?? {};
    const holder = {
      type: "object" as const,
      properties: { a: { $ref: `Root${number}` }, b: root, ...ODD_NAMES },
      required: ["a"],
    };
    nodes[`Holder${number}`] = holder;
    const held = values.map((a, at) => ({
      ...{ b: values[values.length - 1 - at], a, other: at, class: at, "": "" },
      ...{ "x-y": at % 2 === 0 ? at : "x", x_y: at, ["__proto__"]: at, $schema: "s" },
    }));
    const properties = { ...holder.properties, a: inner, b: inner };
    return [
      { name: `Root${number}`, schema, values },
      { name: `Holder${number}`, schema: { ...holder, properties, $defs }, values: held },
    ];
  });
}

/** Few schemas are printed as code, many as data. */
test.each([
  ["code", 25],
  ["data", SCHEMAS],
])(
  "%s of %d random schemas: dataclasses and models agree with jsonschema_rs, and say what TypeScript says",
  async (form, count) => {
    const schemas = sampleSchemas(20_261_127, count);
    const nodes = toNodes(schemas);
    const cases = casesOf(schemas, nodes);
    for (const [name, schema] of Object.entries(CLOSED)) {
      nodes[name] = schema;
      cases.push({
        name,
        schema,
        values: [{ a: "b", "x-c": "d" }, { "x-c": 1 }, { y: "z" }, { $a: { b: 1 } }, {}],
      });
    }
    Object.assign(nodes, DEEP, {
      Deep: { type: "object", properties: { deep: { $ref: "DeepL0" } } },
    });
    const map = (inner: SchemaNode): SchemaNode => ({
      type: "object",
      additionalProperties: inner,
    });
    nodes.Maps = map(map({ anyOf: [{ type: "string" }, { type: "array" }] }));
    const maps = [{ a: { b: [], c: "d" } }, { a: { b: [1, [{}]] } }, { a: { b: 1 } }, { a: {} }];
    cases.push({ name: "Maps", schema: nodes.Maps, values: maps });
    const values = [{ L: 1 }, { R: 2.0 }, { L: 1, R: "r" }, { R: null }].map(deep);
    cases.push({ name: "DeepL0", schema: deepSchema, values });
    const module = await NodeModule.load(nodes);
    const input = toInput(nodes);
    const [schema] = input.schemas;
    if (schema === undefined) throw new Error("there is no schema");
    const entryTypes = cases.map(({ name }) => name);
    // The definitions know their schema by identity.
    Object.assign(schema, { entryTypes });
    const texts: string[] = [];
    const isData = createPythonModel(input).isLarge;
    expect(isData).toBe(form === "data");
    for (const [target, folder] of [
      [python, FOLDER],
      [pydantic, `${FOLDER}_pydantic`],
    ] as const) {
      for (const { path, text } of await target.generate({ ...input, folder })) {
        mkdirSync(dirname(join(module.folder, path)), { recursive: true });
        writeFileSync(join(module.folder, path), text);
        texts.push(text);
      }
    }
    expect(texts.some((text) => /^ *def _as_deep_/m.test(text))).toBe(true);
    const requests = cases.map((each) => {
      const faults = each.values.map((value) =>
        module
          .findErrors(each.name, value)
          .map(({ pointer, keyword, message }) => [pointer, keyword, message]),
      );
      return `${JSON.stringify({ ...each, faults })}\n`;
    });
    const { stdout, stderr, status } = spawnSync(
      ensurePythonEnv(packageRoot(), DEV_TOOLS),
      [join(packageRoot(), "conformance/python/judge_packages.py"), module.folder, FOLDER],
      { input: requests.join(""), encoding: "utf8", maxBuffer: 1 << 30 },
    );
    module.remove();
    expect([status, stderr]).toEqual([0, ""]);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line): { wrong: string[]; valid: number } => JSON.parse(line));
    expect(answers).toHaveLength(cases.length);
    const wrong = answers.flatMap((answer, at) =>
      answer.wrong.slice(0, 2).map((said) => `${said}\n  ${JSON.stringify(cases[at]?.schema)}`),
    );
    expect(wrong).toEqual([]);
    expect(answers.filter(({ valid }) => valid > 0).length).toBeGreaterThan(cases.length / 2);
  },
);
