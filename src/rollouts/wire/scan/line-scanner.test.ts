import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Shape } from "#generated/shapes.js";
import { scanJson, unquote } from "../../../base/json/tokens.js";
import { isJsonObject, measureValue } from "../../../base/json/value.js";
import { countAttacks } from "../../../base/testing/attacks.js";
import { bundleText } from "../../../base/testing/build-program.js";
import { runCount } from "../../../base/testing/run-count.js";
import { type LineScan, LineScanner } from "./line-scanner.js";
import type { Pairing } from "./shape-table.js";

const list: Shape = {
  type: ["array"],
  items: {
    type: ["object"],
    properties: {
      kind: { type: ["string"], enum: ["ask", "tell", "other"] },
      inner: {
        type: ["object"],
        properties: {
          name: { type: ["string"] },
          id: { type: ["string"] },
          size: { type: ["number", "null"] },
          flag: { type: ["boolean"] },
          tags: { type: ["array"] },
          free: {},
          never: { type: [] },
        },
      },
    },
  },
};

const shape: Shape = { type: ["object"], properties: { list } };

const pairing: Pairing = {
  list: "list",
  kind: "kind",
  call: "ask",
  answer: "tell",
  name: "inner/name",
  id: "inner/id",
};

const scanner = new LineScanner(shape, pairing);

function scan(text: string): LineScan | undefined {
  return scanner.scan(Buffer.from(text));
}

/** Whether nothing is wrong with a line. Undefined if it is no object. */
function isPlain(text: string): boolean | undefined {
  const found = scan(text);
  return found && Object.values(found).every((flag) => flag);
}

/**
 * Whether a line is plain, and the text of the scanned value. Undefined if the line is no object, "" if it has
 * no such value.
 */
function read(text: string): [isPlain: boolean, value: string] | undefined {
  const plain = isPlain(text);
  if (plain === undefined) return undefined;
  const value = Buffer.from(text).subarray(scanner.startOf(0), scanner.endOf(0));
  return [plain, value.toString("utf8")];
}

function withElements(...elements: string[]): string {
  return `{"list":[${elements.join(",")}]}`;
}

const ask = '{"kind":"ask","inner":{"name":"n","id":"1"}}';
const tell = '{"kind":"tell","inner":{"name":"n","id":"1"}}';

describe("a line that is JSON, and the position of the scanned value", () => {
  test.each([
    ["{}", ""],
    ['{"a":1}', ""],
    ['{"list":[]}', "[]"],
    ['{"a":{"list":[1]},"list":[ ]}', "[ ]"],
    ['{"a":123456789012345}', ""],
    [`{"a":${"[".repeat(99)}${"]".repeat(99)}}`, ""],
    ['{"a":"\\"list\\":[1]","list":[]}', "[]"],
    [' { "list" : [] , "z" : -1.5 } ', "[]"],
    ['{"día":"漢🙂","list":[],"é":"é"}', "[]"],
    [withElements(ask, tell), `[${ask},${tell}]`],
  ])("%s", (text, value) => expect(read(text)).toEqual([true, value]));

  test.each([
    ['{"list":7}', "7"],
    ['{"list":[1]}', "[1]"],
    ['{"list":[],"list":[ ]}', "[ ]"],
    ['{"a":1,"a":2,"list":[]}', "[]"],
    ['{"a":{"b":[{"c":1,"c":1}]}}', ""],
    ['{"a":{"\\u0062":1}}', ""],
    ['{"C:\\\\dir":1,"list":[1.0]}', "[1.0]"],
    ['{"say \\"hi\\"":1,"d\\u00eda":2,"list":[1.0]}', "[1.0]"],
    ['{"a":1234567890123456}', ""],
    ['{"a":1e5}', ""],
    ['{"a":-1.5E-5}', ""],
    ['{"a":"\\ud83d\\ude42"}', ""],
    ['{"a":"\\udC00"}', ""],
    [`{"a":${"[".repeat(100)}${"]".repeat(100)}}`, ""],
  ])("%s is not plain", (text, value) => expect(read(text)).toEqual([false, value]));

  test("a tab or a carriage return between tokens is white space", () => {
    expect(read('{\t"list"\r:\t[\t1\r]\t}\r')).toEqual([false, "[\t1\r]"]);
    expect(read('{\t"list":[]}')).toEqual([false, "[]"]);
  });
});

test.each([
  "",
  " ",
  "1",
  "[]",
  '"a"',
  "null",
  "{",
  "}",
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1 "b":2}',
  '{"a":1"b":2}',
  '{"a":[1,]}',
  '{"a":[1 2]}',
  '{"a":[}',
  '{"a":{]}',
  '{"a":1}}',
  '{"a":1}x',
  '{"a":1}{}',
  '{"a":"b}',
  '{"a":"b\\"}',
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":"\\u12"}',
  '{"a":"\t"}',
  '{"a":"\u0000"}',
  '{\\"a":1}',
  '{"a"\\:1}',
  '{"a":"b"\\}',
  '{"a":01}',
  '{"a":-}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":1e}',
  '{"a":1e+}',
  '{"a":0x1}',
  '{"a":NaN}',
  '{"a":tru}',
  '{"a":truex}',
  '{"a":falsy}',
  '{"a":nul}',
  "{a:1}",
  "{'a':1}",
  '{"a":1\u00a0}',
  '\ufeff{"a":1}',
])("%j is no object of JSON", (text) => expect(scan(text)).toBeUndefined());

describe("lines that the scanner cannot decide", () => {
  test("an escaped key that may be the scanned one", () => {
    expect(scan('{"l\\u0069st":[1]}')).toBeUndefined();
    expect(scan('{"list":[1],"l\\u0069st":[2]}')).toBeUndefined();
  });

  test("excessive nesting", () => {
    const nested = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(isPlain(nested(499))).toBe(false);
    expect(scan(nested(500))).toBeUndefined();
    expect(scan(`{"a":${"[".repeat(100_000)}`)).toBeUndefined();
  });
});

describe("paired elements are plain, others are not", () => {
  const id = (text: string, element: string): string => element.replace('"1"', `"${text}"`);
  const inner = (fields: string): string =>
    `{"kind":"ask","inner":{"name":"n","id":"1",${fields}}}`;
  test.each([
    [ask],
    [ask, id("2", ask), id("2", tell), tell],
    [ask, tell, ask, tell],
    [id("é", ask), id("é", tell)],
    [id("a longer id than a word", ask), id("a longer id than a word", tell)],
    [inner('"size":1,"flag":true,"tags":[],"free":{}')],
    [inner('"size":null,"flag":false,"tags":[{}],"free":[1]')],
    [inner('"other":"x"')],
    ['{"kind":"ask","x":[1],"inner":{"name":"n","id":"1"}}'],
  ])("%s", (...elements) => {
    expect(isPlain(withElements(...elements))).toBe(true);
  });

  test.each([
    [tell],
    [ask, ask],
    [ask, id("2", tell)],
    [ask, tell, tell],
    [id("", ask)],
    [id("\\n", ask)],
    [id("\\u0031", ask)],
    [id("a longer id than a word", ask), id("a longer id than a wore", tell)],
    // Both ids have the same hash.
    [id("collision-of-ids", ask), id("7ckkkkkkza7(E3|8", tell)],
    ["{}"],
    ["null"],
    ["[]"],
    ['{"kind":"ask"}'],
    ['{"kind":"ask","inner":{}}'],
    ['{"kind":"ask","inner":{"name":"","id":"1"}}'],
    ['{"kind":"ask","inner":{"name":"n"}}'],
    ['{"kind":"ask","inner":{"name":1,"id":"1"}}'],
    ['{"kind":"other","inner":{"name":"n","id":"1"}}'],
    ['{"kind":"else","inner":{"name":"n","id":"1"}}'],
    ['{"kind":1,"inner":{"name":"n","id":"1"}}'],
    ['{"inner":{"name":"n","id":"1"}}'],
    ['{"kind":"ask","name":"n","id":"1"}'],
    ['{"kind":"ask","inner":[{"name":"n","id":"1"}]}'],
    [inner('"size":"1"')],
    [inner('"flag":null')],
    [inner('"tags":{}')],
    [inner('"never":null')],
    [inner('"never":1')],
  ])("%s", (...elements) => {
    expect(isPlain(withElements(...elements))).toBe(false);
  });

  test("the maximum number of waiting calls, and one more", () => {
    const asks = Array.from({ length: 5000 }, (_, index) => id(`${index}`, ask));
    expect(isPlain(withElements(...asks.slice(0, 3000)))).toBe(true);
    expect(isPlain(withElements(...asks))).toBe(false);
    expect(isPlain(withElements(ask, tell))).toBe(true);
  });
});

describe("an object that fits its shape, or not", () => {
  const described: Shape = {
    type: ["object"],
    properties: {
      list,
      text: { type: ["string"], minLength: 1 },
      count: { type: ["integer"], minimum: -2, maximum: 10 },
      share: { type: ["number", "null"], minimum: 0, maximum: 1 },
      flag: { enum: [0, 1], type: ["integer"] },
      some: { type: ["array"], minItems: 1 },
      inner: { type: ["object"], properties: { a: {}, b: {} }, required: ["b"] },
    },
    required: ["text"],
  };
  const shaped = new LineScanner(described, pairing);
  const fits = (members: string): boolean | undefined =>
    shaped.scan(Buffer.from(`{${members}}`))?.fits;

  test.each([
    '"text":"a"',
    '"other":1,"text":" "',
    '"text":"a","count":-2',
    '"text":"a","count":10',
    '"text":"a","share":0.5',
    '"text":"a","share":null',
    '"text":"a","share":1',
    '"text":"a","share":-0',
    '"text":"a","flag":1',
    '"text":"a","some":[[]]',
    '"text":"a","inner":{"b":null}',
    '"text":"a","inner":{"a":{"b":1},"b":{}}',
  ])("{%s} fits", (members) => expect(fits(members)).toBe(true));

  test.each([
    "",
    '"other":"a"',
    '"inner":{"text":"a","b":1}',
    '"text":""',
    '"text":1',
    '"text":null',
    '"text":"a","count":-3',
    '"text":"a","count":11',
    '"text":"a","count":1.0',
    '"text":"a","count":"1"',
    '"text":"a","share":-0.1',
    '"text":"a","share":1.5',
    '"text":"a","flag":2',
    '"text":"a","flag":-0',
    '"text":"a","flag":"1"',
    '"text":"a","some":[]',
    '"text":"a","inner":{}',
    '"text":"a","inner":{"a":{"b":1}}',
    '"text":"a","inner":[]',
  ])("{%s} does not fit", (members) => expect(fits(members)).toBe(false));

  test("the list is judged apart", () => {
    const judge = (members: string) => shaped.scan(Buffer.from(`{${members}}`));
    expect(judge('"text":"a","list":[7]')).toMatchObject({ fits: true, listFits: false });
    expect(judge('"text":"","list":[]')).toMatchObject({ fits: false, listFits: true });
    expect(judge(`"list":[${tell}],"text":"a"`)).toMatchObject({
      fits: true,
      listFits: true,
      isPaired: false,
    });
  });

  test("each described member has its place", () => {
    const text = '{"text":"a", "other":2,"inner" : {"b":1} }';
    expect(shaped.scan(Buffer.from(text))).toMatchObject({ fits: true });
    const values = Object.keys(described.properties ?? {}).map((_, member) =>
      text.slice(shaped.startOf(member), shaped.endOf(member)),
    );
    expect(values).toEqual(["", '"a"', "", "", "", "", '{"b":1}']);
  });
});

test("an empty line, even as the first one", () => {
  const first = new LineScanner({ properties: { list: { type: ["array"] } } }, pairing);
  expect(first.scan(Buffer.alloc(0))).toBeUndefined();
});

test("successive lines of different lengths", () => {
  for (const length of [1, 10, 70_000, 3, 300_000, 0]) {
    const text = `{"a":"${"x".repeat(length)}","list":[]}`;
    expect(read(text)).toEqual([true, "[]"]);
    expect(scan(text.slice(0, -1))).toBeUndefined();
  }
});

test("the maximum number of distinguished keys, and one more", () => {
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")}}`;
  expect(isPlain(keys(2000))).toBe(true);
  expect(isPlain(keys(3000))).toBe(false);
  expect(isPlain(keys(10))).toBe(true);
});

const names = fc.constantFrom("list", "kind", "inner", "name", "id", "a", '"', "\\", "é", "");
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(ask, tell).map((text): unknown => JSON.parse(text)),
    fc.constantFrom(
      "ask",
      "tell",
      "1",
      "\\",
      '"',
      "\n",
      "\u0001",
      "\ud800",
      "漢🙂",
      "x".repeat(70),
    ),
    fc.constantFrom(0, -1.5, 1e21, 2 ** 53, 123456789012345, null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 5 }),
  ),
})).value;
const line = fc
  .tuple(fc.dictionary(names, json, { maxKeys: 5 }), fc.constantFrom("", " ", "\t"))
  .map(([value, space]) => JSON.stringify(value, null, space).replaceAll("\n", space));

/** Changes, removes or duplicates one byte. */
const damage = fc.record({
  at: fc.nat(400),
  // A line contains no newline.
  byte: fc
    .oneof(fc.constantFrom(...Buffer.from('"\\{}[]:, 0-e.tu')), fc.nat(0x7f))
    .filter((byte) => byte !== 0x0a),
  kind: fc.constantFrom("replace", "remove", "insert", "none"),
});

function damaged(text: string, { at, byte, kind }: { at: number; byte: number; kind: string }) {
  const bytes = [...Buffer.from(text)];
  const place = at % Math.max(1, bytes.length);
  if (kind === "replace") bytes.splice(place, 1, byte);
  if (kind === "remove") bytes.splice(place, 1);
  if (kind === "insert") bytes.splice(place, 0, byte);
  return Buffer.from(bytes).toString("utf8");
}

/** Parses the text; undefined if it is not a JSON object. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

test("the scan agrees with JSON.parse, for intact and damaged lines", (context) => {
  const seen = { found: 0, plain: 0, values: 0 };
  const numRuns = runCount(130_802, 2000);
  const lines = countAttacks(context, "damaged lines", numRuns);
  fc.assert(
    fc.property(line, damage, (whole, change) =>
      lines.attempt(() => {
        const text = damaged(whole, change);
        const found = read(text);
        const value = parse(text);
        if (found !== undefined) seen.found += 1;
        if (found?.[0] === true) seen.plain += 1;
        if (found?.[1] !== undefined && found[1] !== "") seen.values += 1;
        if (value === undefined) expect(found).toBeUndefined();
        else if (found === undefined) expect(text).toMatch(/\\/);
        else if (found[1] !== "") expect(JSON.parse(found[1])).toEqual(value.list);
        else expect(value).not.toHaveProperty("list");
        if (found?.[0] !== true || value === undefined) return;
        const keys = [...scanJson(text)].filter(({ kind }) => kind === "key");
        expect(measureValue(value)).toMatchObject({ keys: keys.length });
        expect(measureValue(value).largest).toBeLessThan(1e15);
        for (const { kind, start, end } of scanJson(text)) {
          if (kind !== "number")
            expect(unquote(text.slice(start, end))).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    ),
    { numRuns },
  );
  expect(seen.found).toBeGreaterThan(numRuns / 4);
  expect(seen.plain).toBeGreaterThan(numRuns / 20);
  expect(seen.values).toBeGreaterThan(numRuns / 20);
});

describe("without enough resources no line is scanned", () => {
  /** Results of scans in another process: a short line, a long one, an undecidable one, and a short one again. */
  function scanWith(...flags: string[]): unknown {
    const script = `
      import { LineScanner } from "./src/rollouts/wire/scan/line-scanner.ts";
      const pairing = { list: "list", kind: "k", call: "c", answer: "a", name: "n", id: "i" };
      const scanner = new LineScanner({ properties: { list: { type: ["array"] } } }, pairing);
      const long = '{"a":"' + "x".repeat(200_000) + '"}';
      const lines = ['{"a":1,"b":2}', long, '{"a":1,"a":2}', '{"a":1,"b":2}'];
      console.log(JSON.stringify(lines.map((line) => scanner.scan(Buffer.from(line))?.followsLineRules ?? null)));
    `;
    const argv = [...flags, bundleText(script)];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
    expect(stderr).not.toContain("Error");
    return JSON.parse(stdout);
  }

  test("with enough memory", () => {
    expect(scanWith()).toEqual([true, true, false, true]);
  });

  test("with too little memory for a long line", () => {
    expect(scanWith("--wasm-max-mem-pages=10")).toEqual([true, null, false, true]);
  });

  test("without WebAssembly", () => {
    expect(scanWith("--jitless")).toEqual([null, null, null, null]);
  });
});
