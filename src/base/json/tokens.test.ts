import { parse, type ValueNode } from "@humanwhocodes/momoa";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPointerToken } from "./pointer.js";
import { countKeyMarks, cutNesting, scanJson } from "./tokens.js";
import { measureValue } from "./value.js";

describe("scanJson", () => {
  type Row = readonly [kind: string, start: number, pointer: string];

  function scan(text: string): Row[] {
    const rows: Row[] = [];
    for (const { kind, start, pointer } of scanJson(text)) rows.push([kind, start, pointer()]);
    return rows;
  }

  test("yields keys, strings and numbers with their positions", () => {
    expect(scan('{"a": [1, {"b/" :"x"}], "c":-2e3}')).toEqual([
      ["key", 1, "/a"],
      ["number", 7, "/a/0"],
      ["key", 11, "/a/1/b~1"],
      ["string", 17, "/a/1/b~1"],
      ["key", 24, "/c"],
      ["number", 28, "/c"],
    ]);
    expect(scan('"x"')).toEqual([["string", 0, ""]]);
  });

  test("tokens of one object share an owner", () => {
    const owners = [...scanJson('{"a":{"b":1,"c":2},"d":3}')].map(({ owner }) => owner);
    const [a, b, one, c, two, d] = owners;
    expect([b, one, c, two].every((owner) => owner === b)).toBe(true);
    expect(a).toBe(d);
    expect(a).not.toBe(b);
  });

  /** The same tokens according to Momoa. */
  function findRows(node: ValueNode, pointer = ""): Row[] {
    const start = node.loc.start.offset;
    if (node.type === "String") return [["string", start, pointer]];
    if (node.type === "Number") return [["number", start, pointer]];
    if (node.type === "Array") {
      return node.elements.flatMap(({ value }, index) => findRows(value, `${pointer}/${index}`));
    }
    if (node.type !== "Object") return [];
    return node.members.flatMap(({ name, value }) => {
      const key = name.type === "String" ? name.value : name.name;
      const own = `${pointer}/${toPointerToken(key)}`;
      return [["key", name.loc.start.offset, own] satisfies Row, ...findRows(value, own)];
    });
  }

  test("it yields the same tokens as a parser", () => {
    const spaced = fc.tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, "\t"));
    fc.assert(
      fc.property(spaced, ([json, space]) => {
        const text = JSON.stringify(JSON.parse(json), null, space);
        expect(scan(text)).toEqual(findRows(parse(text, { allowTrailingCommas: false }).body));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("countKeyMarks", () => {
  test("one mark per key, and one more per string that begins with a colon", () => {
    expect(countKeyMarks('{"a" \t: ":", "b\\\\":1}')).toBe(3);
    expect(countKeyMarks('{"a":"b:","c\\":":0}')).toBe(2);
  });

  test("there are never fewer marks than keys, and rarely more", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const [keys, marks] = [measureValue(value).keys, countKeyMarks(JSON.stringify(value))];
        expect(marks).toBeGreaterThanOrEqual(keys);
        const opening = JSON.stringify(value).split(/[^\\]":/).length;
        expect(marks - keys).toBeLessThanOrEqual(opening);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("cutNesting", () => {
  test("what is nested more deeply is a number of the same length, on the same lines", () => {
    expect(cutNesting('[{"]": [1,\n {}]}, [2], "[[["]', 2)).toBe('[{"]": 0  \n    }, [2], "[[["]');
    expect(cutNesting("[]", 0)).toBe("0 ");
  });

  test("the rest stays where it is, and nothing is cut that is not too deep", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(6), (text, levels) => {
        const [value, cut] = [JSON.parse(text), cutNesting(text, levels)];
        const [depth, left] = [value, JSON.parse(cut)].map(
          (each) => measureValue([each]).depth - 1,
        );
        expect([cut.length, left]).toEqual([text.length, Math.min(levels, depth ?? 0)]);
        expect(cut === text).toBe(left === depth);
      }),
      { numRuns: 300 },
    );
  });
});
