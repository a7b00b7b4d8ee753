import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseTokens } from "./normalise-tokens.js";

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

  test("gives its own tokens back", () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const tokens = normaliseTokens(text);
        expect(normaliseTokens(tokens.join(" "))).toEqual(tokens);
      }),
    );
  });

  test("finds in a text the tokens of its parts", () => {
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        const tokens = [...normaliseTokens(a), ...normaliseTokens(b)];
        expect(normaliseTokens(`${a} ${b}`)).toEqual(tokens);
      }),
    );
  });

  test("finds in ASCII what it finds in it beside other text", () => {
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

  test("cuts a word after 1,024 code points, so that one of 20 MB is no stack overflow", () => {
    const tokens = normaliseTokens("a".repeat(20 * 1024 * 1024));
    expect(tokens).toHaveLength(20 * 1024);
    expect(new Set(tokens)).toEqual(new Set(["a".repeat(1024)]));
  });

  test("takes a million marks on one letter", () => {
    const marks = "\u0301\u0323".repeat(500_000);
    expect(normaliseTokens(`a${marks} b`)).toEqual([expect.stringMatching(/^ạ/), "b"]);
  });
});
