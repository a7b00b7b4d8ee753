import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import type { EvalItem, G3Finding, G3Task } from "./corpus.js";
import { createEvalIndex, type G3Options, measureOverlaps, validateG3 } from "./eval-index.js";
import { normaliseTokens } from "./tokens.js";

describe("createEvalIndex", () => {
  const item = (text: string, line = 1) => ({ id: `#${line}`, text, file: "eval.jsonl", line });
  const words = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(" ");

  function caught(run: () => unknown): unknown {
    try {
      return run();
    } catch (error) {
      return error;
    }
  }

  test("checks any number of tasks", () => {
    const index = createEvalIndex([item(words("e", 8))]);
    expect(index.findOverlaps({ id: "clean", text: words("t", 100) })).toEqual([]);
    expect(index.findOverlaps({ id: "r1", text: `x ${words("E", 8)}.` })).toEqual([
      {
        task: "r1",
        evalItem: { file: "eval.jsonl", line: 1, id: "#1" },
        ngram: words("e", 8),
        overlapRatio: 1,
        longestSpan: 8,
      },
    ]);
    expect(index.findOverlaps({ id: "clean", text: words("t", 100) })).toEqual([]);
  });

  test("gives a verdict without computing findings", () => {
    const index = createEvalIndex([item(words("e", 9))]);
    expect(index.isContaminated(`x ${words("e", 8)}`)).toBe(true);
    expect(index.isContaminated(`x ${words("e", 7)} x e7 e8`)).toBe(false);
  });

  test("counts items and lists those that can match nothing", () => {
    const index = createEvalIndex([item("?", 1), item("yes", 2)]);
    expect(index.n).toBe(8);
    expect(index.itemCount).toBe(2);
    expect(index.emptyItems).toEqual([{ file: "eval.jsonl", line: 1, id: "#1" }]);
    expect(index.isContaminated("?")).toBe(false);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses n = %d", (n) => {
    const error = caught(() => createEvalIndex([item("a")], { n }));
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: EXIT.usage });
  });

  test.each([
    ["no items", []],
    ["items without tokens only", [item("?"), item("")]],
  ])("refuses %s: such a gate looks at nothing", (_, items) => {
    const error = caught(() => createEvalIndex(items));
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: EXIT.unreadable });
  });
});

describe("measureOverlaps", () => {
  const texts = [
    { start: 0, end: 2, items: [] },
    { start: 2, end: 12, items: [] },
    { start: 12, end: 15, items: [] },
  ];
  const measured = (positions: number[], n: number) =>
    measureOverlaps(texts, Int32Array.from(positions), n).map(({ text, ...rest }) => ({
      start: text.start,
      ...rest,
    }));

  test("finds no overlap if nothing is shared", () => {
    expect(measured([], 3)).toEqual([]);
  });

  test("treats a text shorter than n as one window", () => {
    expect(measured([0], 3)).toEqual([
      { start: 0, first: 0, width: 2, covered: 2, longestSpan: 2 },
    ]);
  });

  test("joins windows that overlap or touch, and counts each token once", () => {
    const covered = { start: 2, first: 3, width: 3 };
    expect(measured([3, 4], 3)).toEqual([{ ...covered, covered: 4, longestSpan: 4 }]);
    expect(measured([3, 6], 3)).toEqual([{ ...covered, covered: 6, longestSpan: 6 }]);
    expect(measured([3, 7, 8], 3)).toEqual([{ ...covered, covered: 7, longestSpan: 4 }]);
  });

  test("does not join windows across adjacent texts", () => {
    expect(measured([0, 9, 12], 3)).toEqual([
      { start: 0, first: 0, width: 2, covered: 2, longestSpan: 2 },
      { start: 2, first: 9, width: 3, covered: 3, longestSpan: 3 },
      { start: 12, first: 12, width: 3, covered: 3, longestSpan: 3 },
    ]);
  });
});

describe("validateG3", () => {
  const toTasks = (texts: string[]) => texts.map((text, index) => ({ id: `r${index}`, text }));
  const toItems = (texts: string[]) =>
    texts.map((text, index) => ({ id: `e${index}`, text, file: "eval.jsonl", line: index + 1 }));
  const words = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(" ");

  /** Tasks and items in order, including equal ones. */
  const inOrder = (findings: G3Finding[]) =>
    findings.toSorted(
      (a, b) =>
        Number(a.task.slice(1)) - Number(b.task.slice(1)) || a.evalItem.line - b.evalItem.line,
    );

  const gramsOf = (tokens: string[], width: number) =>
    tokens
      .map((_, i) => tokens.slice(i, i + width))
      .filter(({ length }) => length === width)
      .map((gram) => gram.join(" "));

  /** Compares every n-gram of one with every n-gram of the other. `all` are the texts that share boilerplate. */
  function compareDirectly(
    { id, text }: G3Task,
    { text: itemText, ...evalItem }: EvalItem,
    all: { readonly tasks: readonly G3Task[]; readonly items: readonly EvalItem[] },
    { n = 8, boilerplateShare = 0.05, minOverlap = 0 }: G3Options,
  ): G3Finding[] {
    const tokens = normaliseTokens(itemText);
    const task = normaliseTokens(text);
    const width = Math.min(n, tokens.length);
    const distinct = (texts: readonly { readonly text: string }[]) =>
      [...new Set(texts.map((each) => normaliseTokens(each.text).join(" ")))].filter(Boolean);
    /** The number of texts with an n-gram, if their share is large enough. */
    const countHolders = (gram: string, texts: string[], total = texts.length) => {
      const { length } = texts.filter((each) => gramsOf(each.split(" "), width).includes(gram));
      return length / total > boilerplateShare ? length : 0;
    };
    const allTasks = distinct(all.tasks);
    const total = new Set(all.tasks.map((each) => normaliseTokens(each.text).join(" "))).size;
    // A shorter item is a window only as a whole.
    const allItems = distinct(all.items).filter(
      (each) => Math.min(n, each.split(" ").length) === width,
    );
    const itemTotal = distinct(all.items).length;
    const grams = gramsOf(tokens, width);
    const taskGrams = gramsOf(task, width);
    const cover = (marks: boolean[]) =>
      tokens
        .map((_, i) => (marks.slice(Math.max(0, i - width + 1), i + 1).includes(true) ? "x" : " "))
        .join("");
    const boilerplate = grams.map((gram) => {
      const inTasks = countHolders(gram, allTasks, total);
      return inTasks >= 5 || (inTasks >= 2 && countHolders(gram, allItems, itemTotal) >= 5);
    });
    const outside = [...cover(boilerplate)].map((mark) => (mark === " " ? 1 : 0));
    const own = grams.map((_, i) => {
      const count = outside.slice(i, i + width).reduce<number>((sum, each) => sum + each, 0);
      return count >= width / 2;
    });
    const isRepeated = !own.includes(true) && task.join(" ") === tokens.join(" ");
    const counts = own.map((is) => is || isRepeated);
    const shared = grams.map((gram, i) => counts[i] === true && taskGrams.includes(gram));
    const first = shared.indexOf(true);
    if (first === -1) return [];
    const runs = cover(shared).split(" ");
    const overlapRatio = runs.join("").length / cover(counts).replaceAll(" ", "").length;
    if (overlapRatio < minOverlap) return [];
    const longestSpan = Math.max(...runs.map(({ length }) => length));
    return [{ task: id, evalItem, ngram: grams[first] ?? "", overlapRatio, longestSpan }];
  }

  test("agrees with a direct comparison", () => {
    const text = (max: number) =>
      fc
        .array(fc.constantFrom("a", "B", "c", "的", "?"), { maxLength: max })
        .map((w) => w.join(" "));
    const ratio = fc.constantFrom(0, 0.05, 0.2, 0.5, 0.75, 1);
    let withBoilerplate = 0;
    const property = fc.property(
      fc.array(text(25), { maxLength: 12 }),
      fc.array(text(12), { maxLength: 8 }),
      fc.record({
        n: fc.integer({ min: 1, max: 6 }),
        boilerplateShare: ratio,
        minOverlap: ratio,
      }),
      (taskTexts, itemTexts, options) => {
        const tasks = toTasks(taskTexts);
        const items = toItems([...itemTexts, ...taskTexts.slice(0, 1), "only here"]);
        const direct = (settings: G3Options) =>
          tasks.flatMap((task) =>
            items.flatMap((item) => compareDirectly(task, item, { tasks, items }, settings)),
          );
        const expected = direct(options);
        expect(inOrder(validateG3(tasks, items, options))).toEqual(expected);
        if (direct({ ...options, boilerplateShare: 1 }).length > expected.length) {
          withBoilerplate += 1;
        }
      },
    );
    const numRuns = runCount(500, 50);
    fc.assert(property, { numRuns });
    expect(withBoilerplate).toBeGreaterThan(numRuns / 25);
  });

  test("rates a verbatim 60-word item in a 460-word text 1.0", () => {
    const item = words("e", 60);
    const text = `${words("before", 200)} ${item} ${words("after", 200)}`;
    const found = validateG3(toTasks([text]), toItems([item]));
    expect(found).toMatchObject([{ overlapRatio: 1, longestSpan: 60, ngram: words("e", 8) }]);
  });

  test("requires n consecutive tokens, and n are enough", () => {
    const items = toItems([words("e", 20)]);
    const check = (text: string, n?: number) => validateG3(toTasks([text]), items, { n });
    expect(check(`x ${words("e", 7)} x`)).toEqual([]);
    expect(check(`x ${words("e", 8)} x`)).toMatchObject([{ overlapRatio: 0.4, longestSpan: 8 }]);
    expect(check(`x ${words("e", 12)} x`, 13)).toEqual([]);
    expect(check(`x ${words("e", 13)} x`, 13)).toHaveLength(1);
    expect(check("e3", 1)).toMatchObject([{ ngram: "e3", overlapRatio: 0.05, longestSpan: 1 }]);
  });

  test("matches an item shorter than n as a whole", () => {
    const items = toItems(["What is 2+2?"]);
    const check = (text: string) => validateG3(toTasks([text]), items);
    expect(check("Say: WHAT IS 2 + 2, please")).toMatchObject([
      { ngram: "what is 2 2", overlapRatio: 1, longestSpan: 4 },
    ]);
    expect(check("What is 2+3?")).toEqual([]);
    expect(check("what is")).toEqual([]);
  });

  test("ignores script variants, hyphenation and invisible characters", () => {
    const item = "Decontamination of café menus in 東京都庁 is hard";
    const text =
      "ＤＥＣＯＮ\u00ADTAMINATION of cafe\u0301 me\u200Dnus, in 東\u200B京都庁: is hard!";
    expect(validateG3(toTasks([text]), toItems([item]))).toMatchObject([{ overlapRatio: 1 }]);
  });

  test("counts code points in Han and Thai, not whole sentences", () => {
    const items = toItems(["北京是中国的首都吗", "กรุงเทพเป็นเมือง"]);
    const tasks = toTasks(["我问北京是中国的首都", "ว่ากรุงเทพเป็น"]);
    expect(validateG3(tasks, items).map(({ task, evalItem }) => [task, evalItem.id])).toEqual([
      ["r0", "e0"],
      ["r1", "e1"],
    ]);
  });

  test("streams the tasks and keeps their order", () => {
    function* tasks(): Generator<G3Task> {
      yield { id: "b", text: "one two" };
      yield { id: "c", text: "clean" };
      yield { id: "a", text: "two one two" };
    }
    const found = validateG3(tasks(), toItems(["one two", "two"]));
    expect(found.map(({ task, evalItem }) => `${task} ${evalItem.id}`)).toEqual([
      "b e0",
      "b e1",
      "a e0",
      "a e1",
    ]);
  });
});
