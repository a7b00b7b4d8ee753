import { afterAll, beforeAll, expect, test } from "vitest";
import { definitionOf } from "../../src/contract/schemas/definitions.js";
import { findDisagreements } from "./disagreements.js";
import { type Implementations, openImplementations } from "./implementations.js";
import { knownDifferences } from "./known-differences.js";
import { JudgedRepository, usePython } from "./testing/judged-repository.js";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** For each difference, a type and records on which the real packages show it. */
const CASES: Readonly<Record<string, readonly [schema: object, ...texts: string[]]>> = {
  content: [{}, '"{"'],
  "deep-nesting": [{ type: "string" }, nested(300)],
  "proto-member": [{ properties: { ["__proto__"]: { type: "string" } } }, '{"__proto__":1}'],
  stack: [{ $ref: "#/$defs/Tree" }, nested(9_000)],
  "draft-04-integer": [{ type: "integer" }, "1.0", "1e2"],
  format: [
    { format: "date-time", properties: { a: { anyOf: [{ format: "email" }, { type: "null" }] } } },
    ...['"2024-02-29 00:00:00Z"', '{"a":"b@c"}'],
  ],
  "infinite-number": [
    {
      properties: {
        a: { type: "integer" },
        b: { anyOf: [{ type: "integer" }, { const: 1 }] },
        c: { contains: { type: "integer" }, maxContains: 1 },
        d: { uniqueItems: true },
      },
    },
    ...[`{"a":${"1".repeat(310)}}`, `{"b":-${"1".repeat(310)}}`, `{"c":[1,${"1".repeat(310)}]}`],
    '{"d":[-1e400,-1e400]}',
  ],
  "line-separator": [{ type: "string", pattern: "^.$" }, '"\u2028"', '"\\r"'],
  "lone-surrogate": [{ type: "string" }, '"\\ud800"'],
  "members-as-methods": [{ uniqueItems: true }, '[{"toString":1},{"toString":1}]'],
  "nested-definition": [{ $ref: "#/$defs/Tree" }, nested(120)],
  "number-beyond-double": [{ maximum: 2 ** 63, multipleOf: 0.5 }, "9223372036854776001", "-1e300"],
  "unique-mistyped-items": [{ items: { type: "string" }, uniqueItems: true }, "[1,1]"],
};

const draft = (number: string): string => `http://json-schema.org/draft-${number}/schema#`;

/** Types of older drafts, by the difference. */
const OLD: Readonly<Record<string, object>> = {
  content: { $schema: draft("07"), title: "Content", contentMediaType: "application/json" },
  "draft-04-integer": { $schema: draft("04"), title: "Old", type: "integer" },
};
const types = Object.entries(CASES).map(([id, [schema]]) => [`D${id.replaceAll("-", "")}`, schema]);
const Tree = { type: "array", items: { $ref: "#/$defs/Tree" } };
const repository = new JudgedRepository(
  { cases: { $defs: { Tree, ...Object.fromEntries(types) } }, ...OLD },
  { formats: "assert" },
);
const restore = usePython();
let implementations: Implementations | undefined;

beforeAll(async () => {
  await repository.generate();
  const workspace = repository.open();
  const linked = await workspace.linked();
  expect(definitionOf("Old", linked.definitions).node.type).toBe("integer");
  implementations = openImplementations(workspace, linked, []);
});

afterAll(() => {
  implementations?.remove();
  repository.remove();
  restore();
});

test.each(knownDifferences)("$id is one: $reason", async ({ id, adapters }) => {
  const [, ...texts] = CASES[id] ?? [];
  expect(texts.length).toBeGreaterThan(0);
  const { title } = Object(OLD[id]);
  const type = title ?? `D${id.replaceAll("-", "")}`;
  const source = { file: "", text: "", origin: "", toFile: () => "" };
  const records = texts.map((text) => ({ type, text, source }));
  const list = implementations?.list ?? [];
  const verdicts = await Promise.all(list.map((each) => each.judge(records)));
  const [first = []] = verdicts;
  const shown = list.flatMap((each, index) => {
    const compared = findDisagreements(each.id, records, first, verdicts[index] ?? []);
    expect([each.id, compared.disagreements]).toEqual([each.id, []]);
    return [...compared.used].some((known) => known.id === id) ? [each.id] : [];
  });
  expect(shown.sort()).toEqual([...adapters].sort());
});
