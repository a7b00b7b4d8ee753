import fc from "fast-check";
import { expect, test } from "vitest";
import { CopyingParser } from "./copying-parser.js";

/** What was parsed of each text, with what is known of the text of the value under `key`. */
function parseAll(texts: readonly string[]): [unknown, string | undefined][] {
  const parser = new CopyingParser("key");
  return texts.map((text) => {
    const parsed: unknown = parser.parse(text, Buffer.from(text));
    const value: unknown = typeof parsed === "object" && parsed ? Reflect.get(parsed, "key") : 0;
    const bytes = typeof value === "object" && value ? parser.bytesOf(value) : undefined;
    return [parsed, bytes && Buffer.from(bytes).toString("utf8")];
  });
}

test.each([
  ['{"key":[1,2],"z":0}', "[1,2]"],
  ['{"a":1,"key":{"b":[]}}', '{"b":[]}'],
  ['{ "key": [ 1.0 , 12345678901234567890 ] , "z": 0 }', "[ 1.0 , 12345678901234567890 ]"],
  ['{"key" : [1],"z":0}', undefined],
  ['{"z":{"key":[0],"z":1},"key":[1]}', undefined],
  ['{"key":[{"z":1}],"z":{"z":[1,"z"]}}', '[{"z":1}]'],
  ['{"key":[{"z":1}],"z":{"a":0,"z":[1,"z"]}}', undefined],
  ['{"key":[1],"key":[2],"z":0}', undefined],
  ['{"\\"key":[1],"key":[2]}', undefined],
  ['{"key":"text","z":0}', undefined],
  ['{"key":[\r1]}', undefined],
  ['{"z":0}', undefined],
  ["[1]", undefined],
])("%s", (text, known) => {
  const [first] = parseAll([text]);
  expect(first).toEqual([JSON.parse(text), known]);
});

test("the key that follows may change from line to line", () => {
  const texts = ['{"key":[1],"a":0}', '{"key":[2],"b":0}', '{"key":[3]}', '{"key":[4],"a":0}'];
  expect(parseAll(texts).map(([, known]) => known)).toEqual(["[1]", "[2]", "[3]", "[4]"]);
});

test("what is not JSON is refused as JSON.parse refuses it", () => {
  for (const text of ['{"key":[1,"z":0}', '{"key":[1]', "", '{"key":[1],"z":0}}', '{"key": }']) {
    const error = (parse: (text: string) => unknown): unknown => {
      try {
        return parse(text);
      } catch (thrown) {
        return String(thrown);
      }
    };
    const parser = new CopyingParser("key");
    const parse = (each: string): unknown => parser.parse(each, Buffer.from(each));
    parse('{"key":[0],"z":0}');
    expect(error(parse)).toBe(error(JSON.parse));
  }
});

test("a line that holds the placeholder is taken for what it says", () => {
  const text = '{"key":[1],"z":-7.300241990461e-271}';
  expect(parseAll([text, text])).toEqual([text, text].map((each) => [JSON.parse(each), undefined]));
});

const names = fc.constantFrom("key", "z", "a", '"', "1", "");
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("key", '"key":', ',"z":', "día", "漢🙂", "", 0, -1.5, null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
})).value;
const line = fc
  .tuple(fc.array(fc.tuple(names, json), { maxLength: 5 }), fc.constantFrom("", " ", "\t "))
  .map(([fields, space]) => {
    const printed = fields.map(
      ([name, value]) =>
        `${JSON.stringify(name)}${space}:${space}${JSON.stringify(value, null, space)}`,
    );
    return `{${printed.join(`${space},${space}`)}}`.replaceAll("\n", "");
  });

test("it parses as JSON.parse does, and a text that is known is that of the value", () => {
  let known = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (texts) => {
      for (const [index, [parsed, text]] of parseAll(texts).entries()) {
        const whole: unknown = JSON.parse(texts[index] ?? "");
        expect(parsed).toStrictEqual(whole);
        if (text === undefined) continue;
        known += 1;
        expect(JSON.parse(text)).toStrictEqual(Reflect.get(Object(whole), "key"));
      }
    }),
    { numRuns: 2000 },
  );
  expect(known).toBeGreaterThan(100);
});
