import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLLIDING_IDS } from "./testing/colliding-ids.js";
import {
  alignColumns,
  escapeControls,
  findNearest,
  formatBytes,
  formatCount,
  formatNumber,
  formatShare,
  hashText,
  hideCredentials,
  previewValue,
  suggestName,
} from "./text.js";

describe("alignColumns", () => {
  const rows = [
    ["name", "count", "note"],
    ["a", "7", "last"],
    ["longer", "1,000", ""],
  ];

  test("columns are as wide as their widest cell", () => {
    expect(alignColumns(rows)).toEqual([
      "name    count  note",
      "a       7      last",
      "longer  1,000",
    ]);
    expect(alignColumns([])).toEqual([]);
  });

  test("minimum widths, and numbers right-aligned", () => {
    const options = { minWidths: [8], isNumber: (column: number) => column === 1 };
    expect(alignColumns(rows, options)).toEqual([
      "name      count  note",
      "a             7  last",
      "longer    1,000",
    ]);
  });
});

test.each([
  [0, "0 %"],
  [0.05, "5 %"],
  [0.07, "7 %"],
  [0.0025, "0.25 %"],
  [1 / 3, "33.3333 %"],
  [1, "100 %"],
])("formatShare(%d)", (ratio, text) => {
  expect(formatShare(ratio)).toBe(text);
});

describe("formatNumber", () => {
  test.each([0, 7, 999, 1000, 12345, 999_999, 1_234_567, 2 ** 53])(
    "%d is formatted as Intl formats it",
    (count) => {
      expect(formatNumber(count)).toBe(count.toLocaleString("en-US"));
    },
  );
});

describe("formatCount", () => {
  test.each([
    [0, "0 errors"],
    [1, "1 error"],
    [1234567, "1,234,567 errors"],
  ])("%d", (count, text) => {
    expect(formatCount(count, "error")).toBe(text);
  });

  test("an irregular plural", () => {
    expect(formatCount(1, "branch", "branches")).toBe("1 branch");
    expect(formatCount(2, "branch", "branches")).toBe("2 branches");
  });
});

describe("formatBytes", () => {
  test.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1000, "1.0 kB"],
    [6_100_000, "6.1 MB"],
    [5_432_100_000_000, "5432.1 GB"],
  ])("%d", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("escapeControls", () => {
  test("escapes control characters", () => {
    expect(escapeControls("\u001b[31mred\u0007\u009b0m\u007f")).toBe(
      String.raw`\u001b[31mred\u0007\u009b0m\u007f`,
    );
  });

  test("escapes characters that hide or reorder text or break a line", () => {
    expect(escapeControls("a\u202eb\u200bc\nd\u2028e\r")).toBe(
      String.raw`a\u202eb\u200bc\u000ad\u2028e\u000d`,
    );
  });

  test("escapes characters beyond the basic plane and lone surrogates by code unit", () => {
    expect(escapeControls("\u{e0041}\ud800")).toBe(String.raw`\udb40\udc41\ud800`);
  });

  test("leaves visible characters unchanged", () => {
    expect(escapeControls("día, 日本語, 👍, C:\\x")).toBe("día, 日本語, 👍, C:\\x");
  });
});

describe("previewValue", () => {
  test.each([
    [7, "7"],
    [-0.5, "-0.5"],
    [null, "null"],
    [true, "true"],
    ["", '""'],
    ['a "b"', String.raw`"a \"b\""`],
    ["\u001b[2J", String.raw`"\u001b[2J"`],
    ["\u2028", String.raw`"\u2028"`],
    [[], "an empty array"],
    [[1], "an array"],
    [{}, "an object"],
  ])("%j is shown as %s", (value, shown) => {
    expect(previewValue(value)).toBe(shown);
  });

  test("long text is cut, even in the middle of a surrogate pair", () => {
    expect(previewValue("x".repeat(61))).toBe(`"${"x".repeat(60)}…"`);
    expect(previewValue(`${"x".repeat(59)}👍👍`)).toBe(`"${"x".repeat(59)}${String.raw`\ud83d`}…"`);
  });

  test("previewing a deeply nested value is cheap", () => {
    const depth = 100_000;
    expect(previewValue(JSON.parse("[".repeat(depth) + "]".repeat(depth)))).toBe("an array");
  });
});

describe("hideCredentials", () => {
  test.each([
    ["https://ada:pw@host/x and http://token@host", "https://***@host/x and http://***@host"],
    ["ssh://git@host/x", "ssh://git@host/x"],
    ["ssh://git:a:b@c@host/x", "ssh://git:***@host/x"],
    ["https://host/a@b", "https://host/a@b"],
    ["git@host:x", "git@host:x"],
  ])("%s", (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });
});

describe("findNearest", () => {
  test.each([
    ["duplicate-keys", "duplicate-key"],
    ["dulpicate-key", "duplicate-key"],
    ["haxx", "hash"],
    ["key", undefined],
    ["frobnicate", undefined],
    ["", undefined],
  ])("%j is nearest to %s", (name, nearest) => {
    expect(findNearest(name, ["duplicate-key", "hash"])).toBe(nearest);
  });

  test("what is like no name gets all names", () => {
    expect(suggestName("duplicat", ["duplicate-key", "hash"])).toBe(
      " (did you mean duplicate-key?)",
    );
    expect(suggestName("zzz", ["duplicate-key", "hash"])).toBe(": use duplicate-key, hash");
  });
});

describe("hashText", () => {
  test("a non-negative 53-bit integer, the same for the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const hash = hashText(text);
        expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
        expect(hashText(`${text}`)).toBe(hash);
      }),
    );
  });

  test("similar ids have different hashes", () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `rollout-${index}`);
    expect(new Set(ids.map(hashText)).size).toBe(ids.length);
    expect(hashText("ab")).not.toBe(hashText("ba"));
    expect(hashText("")).not.toBe(hashText("\0"));
  });

  test("two ids can collide, so callers must compare the ids too", () => {
    const [a, b] = COLLIDING_IDS;
    expect(a).not.toBe(b);
    expect(hashText(a)).toBe(hashText(b));
  });
});
