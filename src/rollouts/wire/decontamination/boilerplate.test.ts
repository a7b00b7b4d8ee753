import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../../base/user-error.js";
import { createTaskCounter } from "./boilerplate.js";
import { createEvalCorpus, type EvalItem, type G3Task } from "./corpus.js";
import { createEvalIndex, validateG3 } from "./eval-index.js";
import { TEMPLATE, templateText, uniqueWords } from "./testing/template-texts.js";
import { createWindowIndex } from "./windows.js";

const toTasks = (texts: readonly string[]): G3Task[] =>
  texts.map((text, index) => ({ id: `r${index}`, text }));
const toItems = (texts: readonly string[]): EvalItem[] =>
  texts.map((text, index) => ({ id: `e${index}`, text, file: "eval.jsonl", line: index + 1 }));
const times = <Value>(count: number, create: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => create(index));

const tasks = times(20, (index) => templateText(`task${index}x`));
const evalTexts = times(12, (index) => templateText(`item${index}x`));

/** Pairs of task and item that overlap. */
const pairs = (...args: Parameters<typeof validateG3>): string[] =>
  validateG3(...args).map(({ task, evalItem }) => `${task} ${evalItem.id}`);

describe("template text", () => {
  test("that tasks and items share is no overlap", () => {
    expect(pairs(toTasks(tasks), toItems(evalTexts), { boilerplateShare: 1 })).toHaveLength(240);
    expect(pairs(toTasks(tasks), toItems(evalTexts))).toEqual([]);
  });

  test("does not hide an item that repeats a task", () => {
    const items = toItems([...evalTexts, templateText("task7x")]);
    expect(validateG3(toTasks(tasks), items)).toEqual([
      {
        task: "r7",
        evalItem: { id: "e12", file: "eval.jsonl", line: 13 },
        ngram: "you are task7x task7x0 task7x1 task7x2 task7x3 task7x4",
        overlapRatio: 1,
        longestSpan: 24,
      },
    ]);
  });

  test("does not hide one that repeats a task of many rollouts", () => {
    const repeated = templateText("again");
    const many = toTasks([...times(30, () => repeated), ...tasks]);
    const items = toItems([...evalTexts, repeated]);
    expect(pairs(many, items)).toEqual(times(30, (index) => `r${index} e12`));
    const alone = toTasks(times(30, (index) => `${repeated.toUpperCase()}${"!".repeat(index)}`));
    expect(pairs(alone, toItems([repeated]))).toHaveLength(30);
  });

  test("does not hide an item that repeats a task of nothing but template text", () => {
    const all = toTasks([...tasks, TEMPLATE]);
    const found = validateG3(all, toItems([...evalTexts, TEMPLATE, `${TEMPLATE} Bye.`]));
    expect(found).toMatchObject([
      { task: "r20", evalItem: { id: "e12" }, overlapRatio: 1, longestSpan: 20 },
    ]);
    expect(found[0]?.ngram).toBe("you are reactive to the agent will not");
  });

  test("counts neither above nor below in the overlap ratio, nor in the longest run", () => {
    const half = `${uniqueWords("half", 8)} ${TEMPLATE}`;
    const item = `${TEMPLATE} ${uniqueWords("gap", 8)} ${uniqueWords("half", 8)}`;
    const found = validateG3(toTasks([...tasks, half]), toItems([item]));
    // 36 words, of which 16 are only in n-grams that are mostly template text.
    expect(found).toMatchObject([
      { task: "r20", ngram: uniqueWords("half", 8), overlapRatio: 8 / 20, longestSpan: 8 },
    ]);
  });

  test("an item shorter than n is one n-gram, which may be boilerplate", () => {
    const items = toItems(["never give your birthday", "task3x1 task3x2"]);
    expect(pairs(toTasks(tasks), items)).toEqual(["r3 e1"]);
    const short = toTasks([...tasks, "Never give your birthday!"]);
    expect(pairs(short, items)).toEqual(["r3 e1", "r20 e0"]);
  });
});

describe("an n-gram that is mostly template text does not count", () => {
  const found = (texts: readonly string[], item: string) => pairs(toTasks(texts), toItems([item]));

  test("if it goes beyond the template by less than half", () => {
    const beside = (count: number) => `${uniqueWords("own", count)} ${TEMPLATE} ${count}`;
    expect(found([...tasks, `x ${beside(3)}`], `y ${beside(3)}`)).toEqual([]);
    expect(found([...tasks, `x ${beside(4)}`], `y ${beside(4)}`)).toEqual(["r20 e0"]);
    // The same text is found in any case.
    expect(found([...tasks, beside(3)], beside(3))).toEqual(["r20 e0"]);
  });

  test("if it joins two pieces of template text", () => {
    const another = uniqueWords("another", 9);
    const both = times(20, (index) => `${another} ${templateText(`task${index}x`)}`);
    const joined = `${TEMPLATE} ${another}`;
    expect(found([...both, `x ${joined}`], `y ${joined}`)).toEqual([]);
  });

  test("where it stands; elsewhere it does", () => {
    // "never give your birthday yourself" and three words: mostly template text only after the rest of the template.
    const tail = `never give your birthday yourself ${uniqueWords("tail", 3)}`;
    const full = `${TEMPLATE} ${uniqueWords("tail", 3)}`;
    const items = toItems([`y ${full} y`, `z ${tail} z`]);
    expect(pairs(toTasks([...tasks, `x ${tail}`]), items)).toEqual(["r20 e1"]);
  });
});

describe("an n-gram is boilerplate", () => {
  const shared = uniqueWords("s", 8);
  /** How many of `total` tasks are found if `holders` of them contain an n-gram of the item. */
  const found = (holders: number, total: number, boilerplateShare?: number) => {
    const texts = times(total, (i) => (i < holders ? `${shared} own${i}` : `${i} other words`));
    return pairs(toTasks(texts), toItems([shared]), { boilerplateShare }).length;
  };

  test("from five tasks on", () => {
    expect([found(4, 4), found(5, 5), found(4, 60), found(5, 60)]).toEqual([4, 0, 4, 0]);
    expect([found(4, 20, 0), found(5, 20_000, 0)]).toEqual([4, 0]);
  });

  test("above the share, not at it", () => {
    expect([found(5, 99), found(5, 100), found(6, 100)]).toEqual([0, 5, 0]);
    expect([found(10, 200), found(11, 200)]).toEqual([10, 0]);
    // 0.07 * 100 is more than 7.
    expect([found(7, 100, 0.07), found(8, 100, 0.07), found(35, 500, 0.07)]).toEqual([7, 0, 35]);
  });

  test("from two tasks on, if five items contain it as well, and above the share of them", () => {
    const check = (holders: number, items: number, others = 0) => {
      const texts = times(30, (i) => (i < holders ? `${shared} own${i}` : `${i} other words`));
      const evalTexts = [
        ...times(items, (i) => `${shared} item${i}`),
        ...times(others, (i) => uniqueWords(`another${i}x`, 9)),
      ];
      // Equal items are one.
      return pairs(toTasks(texts), toItems([...evalTexts, ...evalTexts.slice(0, 1)])).length;
    };
    expect([check(1, 5), check(2, 5), check(4, 5)]).toEqual([6, 0, 0]);
    expect([check(2, 4), check(4, 4)]).toEqual([10, 20]);
    expect([check(2, 5, 94), check(2, 5, 95)]).toEqual([0, 12]);
  });

  test("never, if the share is 1", () => {
    expect(found(20, 20, 1)).toBe(20);
  });

  test("by distinct tasks, however often each occurs", () => {
    const texts = times(40, (index) => `${shared} own${index % 4}`);
    expect(pairs(toTasks(texts), toItems([shared]))).toHaveLength(40);
    const others = times(95, (index) => uniqueWords(`other${index}x`, 9));
    const holders = times(5, (index) => `${shared} own${index}`);
    const twice = (rest: string[]) => toTasks([...holders, ...rest, ...rest]);
    // 5 of 100 distinct tasks, and then of 99.
    expect(pairs(twice(others), toItems([shared]))).toHaveLength(5);
    expect(pairs(twice(others.slice(1)), toItems([shared]))).toEqual([]);
  });
});

describe("a minimum overlap", () => {
  const item = uniqueWords("e", 20);
  const check = (words: number, minOverlap: number) =>
    pairs(toTasks([uniqueWords("e", words)]), toItems([item]), { minOverlap });

  test("is met by overlaps of at least that ratio", () => {
    expect([check(8, 0), check(8, 0.4), check(8, 0.41)]).toEqual([["r0 e0"], ["r0 e0"], []]);
    expect([check(19, 1), check(20, 1)]).toEqual([[], ["r0 e0"]]);
  });

  test("applies to each item", () => {
    const items = toItems([item, uniqueWords("e", 10)]);
    expect(pairs(toTasks([uniqueWords("e", 8)]), items, { minOverlap: 0.5 })).toEqual(["r0 e1"]);
  });

  test("does not hide an item that a task repeats beside much template text", () => {
    const item = `${TEMPLATE} ${uniqueWords("own", 4)}`;
    const all = toTasks([...tasks, `Hello! ${item}`]);
    expect(pairs(all, toItems([item]), { minOverlap: 1 })).toEqual(["r20 e0"]);
  });
});

test("compare tells why a task is not contaminated", () => {
  const item = uniqueWords("e", 40);
  const index = createEvalIndex(toItems([...evalTexts, item]), { minOverlap: 0.5 });
  const counter = index.createTaskCounter();
  const shares = [...tasks, "nothing shared", item].map((text) => counter.add(text));
  expect(shares).toEqual([...tasks.map(() => true), false, true]);
  const boilerplate = counter.findBoilerplate();
  const verdicts = [tasks[0] ?? "", "nothing shared", uniqueWords("e", 10), item].map((text) => {
    expect(index.isContaminated(text, boilerplate)).toBe(text === item);
    return index.compare(text, boilerplate);
  });
  expect(verdicts).toEqual(["boilerplate", "clean", "below-minimum", "contaminated"]);
  expect(index.compare(tasks[0] ?? "")).toBe("contaminated");
});

describe("the counter", () => {
  test("lists the most frequent n-grams that do not overlap", () => {
    const index = createEvalIndex(
      toItems([`${TEMPLATE} ${uniqueWords("often", 9)}`, "never give"]),
    );
    const counter = index.createTaskCounter();
    for (const text of tasks) counter.add(text);
    for (const i of times(8, (at) => at)) counter.add(`${uniqueWords("often", 8)} ${i}`);
    counter.add(tasks[0] ?? "");
    const { tasks: distinct, ngrams, examples } = counter.findBoilerplate();
    expect({ distinct, ngrams }).toEqual({ distinct: 28, ngrams: 15 });
    expect(examples).toEqual([
      { ngram: "you are reactive to the agent will not", tasks: 20 },
      { ngram: "say anything that is not asked and never", tasks: 20 },
      { ngram: "never give", tasks: 20 },
      { ngram: uniqueWords("often", 8), tasks: 8 },
    ]);
  });

  test("finds nothing before five tasks", () => {
    const counter = createEvalIndex(toItems([TEMPLATE])).createTaskCounter();
    expect(counter.findBoilerplate()).toMatchObject({ tasks: 0, ngrams: 0, examples: [] });
    for (const text of tasks.slice(0, 4)) counter.add(text);
    expect(counter.findBoilerplate()).toMatchObject({ tasks: 4, ngrams: 0, examples: [] });
  });

  test("when it can remember no more tasks, recognises less, and misses nothing", () => {
    const corpus = createEvalCorpus(toItems([TEMPLATE]));
    const counter = createTaskCounter(corpus, createWindowIndex(corpus, 8), {
      share: 0.5,
      maxTasks: 6,
    });
    for (const text of tasks.slice(0, 10)) expect(counter.add(text)).toBe(true);
    expect(counter.findBoilerplate()).toMatchObject({ tasks: 10, ngrams: 13 });
    for (const text of tasks.slice(0, 2)) expect(counter.add(text)).toBe(true);
    expect(counter.findBoilerplate()).toMatchObject({ tasks: 12, ngrams: 0 });
  });
});

test.each([-0.1, 1.1, Number.NaN])("refuses the ratio %d", (ratio) => {
  for (const options of [{ boilerplateShare: ratio }, { minOverlap: ratio }]) {
    const create = () => createEvalIndex(toItems(["a"]), options);
    expect(create).toThrow(UserError);
    expect(create).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
  }
});
