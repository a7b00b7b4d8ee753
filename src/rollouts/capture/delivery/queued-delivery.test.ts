import fc from "fast-check";
import { expect, test } from "vitest";
import { printLine } from "./queued-delivery.js";

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
let deep: unknown = {};
for (let depth = 0; depth < 1e5; depth += 1) deep = { deep };

test.each<[string, unknown, string]>([
  ["a cycle", cycle, "circular"],
  ["a bigint", { a: 1n }, "BigInt"],
  [
    "a getter that throws",
    Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    }),
    "no",
  ],
  [
    "a toJSON that throws nothing readable",
    {
      toJSON() {
        throw Object.create(null);
      },
    },
    "an error that cannot be printed",
  ],
  ["a toJSON that returns a string", { toJSON: () => "text" }, "it is not an object"],
  ["an array", [1], "it is not an object"],
  ["nothing", undefined, "it is not an object"],
  ["a value nested too deeply", deep, "stack"],
  ["a revoked proxy", revoked(), "revoked"],
])("%s does not make it throw", (_, record, reason) => {
  expect(printLine(record)).toEqual({ reason: expect.stringContaining(reason) });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test.each<[unknown, string, string]>([
  [{ a: Number.NaN }, '{"a":null}', 'JSON cannot hold NaN at "/a"'],
  [
    { a: [1, new Map()] },
    '{"a":[1,{}]}',
    'JSON cannot hold an object that is not a plain object at "/a/1"',
  ],
])("a value that JSON alters is named", (record, line, altered) => {
  expect(printLine(record)).toEqual({ line, altered });
});

test("line breaks, lone surrogates and __proto__ stay in one line", () => {
  const record = JSON.parse('{"__proto__": "\\n\\ud800\\u2028"}');
  expect(printLine(record)).toEqual({
    line: '{"__proto__":"\\n\\ud800\u2028"}',
    altered: undefined,
  });
});

test("JSON values survive unchanged", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const printed = printLine(record);
      if (!("line" in printed)) throw new Error(printed.reason);
      expect(JSON.parse(printed.line)).toEqual(JSON.parse(JSON.stringify(record)));
      expect(printed.line).not.toContain("\n");
    }),
  );
});
