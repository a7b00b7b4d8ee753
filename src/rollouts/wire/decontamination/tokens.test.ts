import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createVocabulary,
  hashOf,
  normaliseTokens,
  sameTokens,
  someWindow,
  UNKNOWN_TOKEN,
} from "./tokens.js";

describe("normaliseTokens", () => {
  test.each([
    ["words without punctuation", "Don't stop: 3.14 (or so)!", "don t stop 3 14 or so"],
    ["an underscore separates", "final_answer", "final answer"],
    ["fullwidth letters and digits", "Ｈｅｌｌｏ　ｗｏｒｌｄ４２", "hello world42"],
    ["compatibility forms", "ﬁne ② x² ℌ", "fine 2 x2 h"],
    ["Han, a token per code point", "GPT在北京2024年", "gpt 在 北 京 2024 年"],
    ["the Han zero", "二〇二四", "二 〇 二 四"],
    ["Han outside the basic plane", "𠀀𠀁", "𠀀 𠀁"],
    ["a compatibility ideograph is its ideograph", "\uF900", "\u8C48"],
    ["kana, the length mark too", "ラーメン、です", "ラ ー メ ン で す"],
    ["halfwidth kana", "ｶﾞｰ", "ガ ー"],
    ["Thai, its vowel signs too", "ไทย กำ 3", "ไ ท ย ก ํ า 3"],
    ["Lao", "ລາວ", "ລ າ ວ"],
    ["Khmer without its full stop", "ខ្មែរ។", "ខ ្ ម ែ រ"],
    ["Myanmar", "မြန်", "မ ြ န ်"],
    ["Hangul is words", "안녕 하세요", "안녕 하세요"],
    ["conjoining jamo are composed", "\u1112\u1161\u11AB", "한"],
    ["combining marks are composed", "Cafe\u0301", "café"],
    ["a mark that composes with nothing stays", "x\u0301y", "x\u0301y"],
    ["Devanagari words keep their marks", "हिन्दी में", "हिन्दी में"],
    ["a stray mark begins no word", "it´s \u0301a", "it s a"],
    ["soft hyphens", "de\u00ADcon\u00ADtam\u00ADination", "decontamination"],
    ["zero-width space, non-joiner, word joiner", "a\u200Bb\u200Cc\u2060d\uFEFFe", "abcde"],
    ["a zero-width joiner before a mark", "e\u200D\u0301", "é"],
    ["direction marks", "\u202Eabc\u202C\u200F", "abc"],
    ["emoji, joined or not, are no tokens", "👩\u200D💻 👍🏽 ❤\uFE0F", ""],
    ["Turkish dotted capital I, in no locale", "İSTANBUL I ı", "i\u0307stanbul i ı"],
    ["final sigma", "ΟΔΟΣ", "οδος"],
    ["lone surrogates separate", "a\uD800b\uDC00c", "a b c"],
    ["nothing", "", ""],
    ["nothing but punctuation", " \t\r\n.,;—«»…", ""],
  ])("%s", (_, text, tokens) => {
    expect(normaliseTokens(text).join(" ")).toBe(tokens);
  });

  const unicode = fc.string({ unit: "binary", maxLength: 60 });

  test("is idempotent", () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const tokens = normaliseTokens(text);
        expect(normaliseTokens(tokens.join(" "))).toEqual(tokens);
      }),
    );
  });

  test("finds the tokens of the parts in the whole text", () => {
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        const tokens = [...normaliseTokens(a), ...normaliseTokens(b)];
        expect(normaliseTokens(`${a} ${b}`)).toEqual(tokens);
      }),
    );
  });

  test("finds the same tokens in ASCII alone and next to other text", () => {
    const ascii = fc.string({ unit: "binary-ascii", maxLength: 60 });
    fc.assert(
      fc.property(ascii, (text) => {
        expect(normaliseTokens(`${text} é`)).toEqual([...normaliseTokens(text), "é"]);
      }),
      { numRuns: 1000 },
    );
  });

  test("is the same for every Unicode normal form", () => {
    fc.assert(
      fc.property(unicode, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (text, form) => {
        expect(normaliseTokens(text.normalize(form))).toEqual(normaliseTokens(text));
      }),
    );
  });

  test("cuts a word after 1,024 code points, so that one of 20 MB does not overflow the stack", () => {
    const tokens = normaliseTokens("a".repeat(20 * 1024 * 1024));
    expect(tokens).toHaveLength(20 * 1024);
    expect(new Set(tokens)).toEqual(new Set(["a".repeat(1024)]));
  });

  test("handles a million marks on one letter", () => {
    const marks = "\u0301\u0323".repeat(500_000);
    expect(normaliseTokens(`a${marks} b`)).toEqual([expect.stringMatching(/^ạ/), "b"]);
  });
});

describe("sameTokens", () => {
  const a = Int32Array.of(1, 2, 3, 4);
  const b = Int32Array.of(9, 2, 3, 5);

  test("compares the requested number of tokens from the given positions", () => {
    expect(sameTokens(a, 1, b, 1, 2)).toBe(true);
    expect(sameTokens(a, 1, b, 1, 3)).toBe(false);
    expect(sameTokens(a, 0, b, 1, 1)).toBe(false);
  });

  test("does not match beyond the end of either side", () => {
    expect(sameTokens(a, 3, Int32Array.of(4), 0, 1)).toBe(true);
    expect(sameTokens(a, 2, Int32Array.of(3), 0, 2)).toBe(false);
  });
});

describe("someWindow", () => {
  function windowsOf(tokens: Int32Array, width: number, start = 0, end = tokens.length) {
    const windows: { hash: number; start: number }[] = [];
    someWindow(tokens, { start, end, width }, (hash, at) => {
      windows.push({ hash, start: at });
      return false;
    });
    return windows;
  }

  test("visits every window of known tokens with the hash of those tokens", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: UNKNOWN_TOKEN, max: 3 })),
        fc.integer({ min: 1, max: 6 }),
        (list, width) => {
          const tokens = Int32Array.from(list);
          const expected = list
            .map((_, start) => ({ start, window: list.slice(start, start + width) }))
            .filter(({ window }) => window.length === width && !window.includes(UNKNOWN_TOKEN))
            .map(({ start }) => ({ hash: hashOf(tokens, start, start + width), start }));
          expect(windowsOf(tokens, width)).toEqual(expected);
        },
      ),
    );
  });

  test("stays within start and end", () => {
    const starts = windowsOf(Int32Array.of(1, 2, 3, 4, 5, 6), 2, 1, 5).map(({ start }) => start);
    expect(starts).toEqual([1, 2, 3]);
  });

  test("stops when told to, and returns true", () => {
    const visited: number[] = [];
    const ended = someWindow(Int32Array.of(1, 2, 3), { start: 0, end: 3, width: 1 }, (_, at) => {
      visited.push(at);
      return at === 1;
    });
    expect({ ended, visited }).toEqual({ ended: true, visited: [0, 1] });
  });

  test("finds no window wider than the tokens", () => {
    expect(windowsOf(Int32Array.of(1, 2), 3)).toEqual([]);
    expect(windowsOf(Int32Array.of(1, 2), Number.MAX_SAFE_INTEGER)).toEqual([]);
  });
});

describe("createVocabulary", () => {
  test("numbers words from 0 without duplicates, and returns them", () => {
    const vocabulary = createVocabulary();
    expect(["b", "a", "b"].map(vocabulary.add)).toEqual([0, 1, 0]);
    expect(["a", "b", "c"].map(vocabulary.find)).toEqual([1, 0, UNKNOWN_TOKEN]);
    expect(vocabulary.textOf(Int32Array.of(0, 1, 0))).toBe("b a b");
    expect(() => vocabulary.textOf(Int32Array.of(2))).toThrow(RangeError);
  });

  test("knows only the words that were added", () => {
    expect(createVocabulary().find("constructor")).toBe(UNKNOWN_TOKEN);
  });
});
