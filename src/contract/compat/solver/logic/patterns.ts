import { type DFA, JS } from "refa";
import { memoize } from "../../../../base/memoize.js";
import { previewValue } from "../../../../base/text.js";
import { compilePattern } from "../../schema/compile-pattern.js";
import {
  ANY,
  type Concatenation,
  complement,
  type Element,
  eraseMarks,
  ignoreMarks,
  intersect,
  MAX_MARKS,
  markElement,
  toDfa,
} from "./automata.js";
import { costOfMatch } from "./match-cost.js";
import { GivenUp } from "./solution.js";

/** Size of the cache; it is cleared when full. */
const MAX_AUTOMATA = 500;

const automata = new Map<string, DFA | undefined>();

/**
 * An automaton for the texts that match an ECMAScript pattern as the keyword `pattern` does: with the flag `u`,
 * anywhere in the text. Undefined if the language is not regular, or the automaton would be too large.
 */
export function patternAutomaton(pattern: string): DFA | undefined {
  if (automata.has(pattern)) return automata.get(pattern);
  if (automata.size >= MAX_AUTOMATA) automata.clear();
  const made = unlessTooComplex(() => make(pattern));
  automata.set(pattern, made);
  return made;
}

const complementOf = memoize(complement);

/** States of an automaton that count as one step of a search. */
const STATES_AT_ONCE = 8;

/** Cost of a pattern whose automaton would be too large. */
const TOO_LARGE = 10_000;

/**
 * An automaton for the texts that all of `matching` recognise and none of `notMatching`; undefined if it would be too
 * large. `step` is called with the cost.
 */
export function combine(
  matching: readonly DFA[],
  notMatching: readonly DFA[],
  step: (cost: number) => void,
): DFA | undefined {
  const charge = (automaton: DFA | undefined): DFA | undefined => {
    step((automaton === undefined ? TOO_LARGE : countStates(automaton)) / STATES_AT_ONCE);
    return automaton;
  };
  const [first = patternAutomaton(""), ...others] = matching;
  let all = charge(first);
  for (const [automata, prepare] of [
    [others, (each: DFA) => each],
    [notMatching, complementOf],
  ] as const) {
    for (const each of automata) {
      charge(each);
      const before = all;
      all = charge(before && unlessTooComplex(() => intersect(before, prepare(each))));
    }
  }
  return all;
}

function countStates(automaton: DFA): number {
  let count = 0;
  for (const _ of automaton.nodes()) count += 1;
  return count;
}

function unlessTooComplex<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    // Back references, and automata with too many states.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function make(pattern: string): DFA {
  const flags = compilePattern(pattern)?.flags ?? "u";
  const { expression } = JS.Parser.fromLiteral({ source: pattern, flags }).parse();
  const plain = expression.alternatives.map(withoutAnchors);
  if (plain.some(({ elements }) => elements.some(holdsAssertion))) {
    return resolveAssertions(expression.alternatives);
  }
  return toDfa(
    plain.map(({ elements, start, end }) => [
      ...(start ? [] : [ANY]),
      ...elements,
      ...(end ? [] : [ANY]),
    ]),
  );
}

/** The alternative without `^` at its beginning and `$` at its end. */
function withoutAnchors({ elements }: Concatenation): {
  readonly elements: readonly Element[];
  readonly start: boolean;
  readonly end: boolean;
} {
  const start = isAnchor(elements[0], "behind");
  const rest = start ? elements.slice(1) : elements;
  const end = isAnchor(rest.at(-1), "ahead");
  return { elements: end ? rest.slice(0, -1) : rest, start, end };
}

/** Whether an element is `^` or `$`: no character before, or none after. */
function isAnchor(element: Element | undefined, kind: "ahead" | "behind"): boolean {
  if (element?.type !== "Assertion" || element.kind !== kind || !element.negate) return false;
  const [only, ...others] = element.alternatives.flatMap(({ elements }) => elements);
  return others.length === 0 && only?.type === "CharacterClass" && only.characters.isAll;
}

function holdsAssertion(element: Element): boolean {
  if (element.type === "Assertion") return true;
  if (!("alternatives" in element)) return false;
  return element.alternatives.some(({ elements }) => elements.some(holdsAssertion));
}

type Assertion = Extract<Element, { readonly type: "Assertion" }>;

/**
 * An automaton for the texts that contain a match of one of the alternatives, which have lookaheads or lookbehinds.
 * Each assertion becomes a mark among the characters. Texts are kept if every mark is where its assertion is true;
 * then the marks are erased.
 */
function resolveAssertions(alternatives: readonly Concatenation[]): DFA {
  return resolve([toGroup(alternatives)], 0);
}

/** The marks from `first` on are unused. */
function resolve(elements: readonly Element[], first: number): DFA {
  const assertions = new Map<string, Assertion>();
  const mark = (assertion: Assertion): Element => {
    const text = JSON.stringify(assertion, withoutParents);
    assertions.set(text, assertion);
    const number = first + [...assertions.keys()].indexOf(text);
    if (number >= MAX_MARKS) throw new RangeError("too many assertions");
    return markElement(number);
  };
  const marked = toDfa([
    [ANY, ...elements.map((element) => replaceAssertions(element, mark)), ANY],
  ]);
  const right = [...assertions.values()].map((assertion, index) =>
    whereTrue(assertion, first + index),
  );
  return eraseMarks(right.reduce(intersect, marked), first);
}

/** The texts in which every mark `number` is where the assertion is true; other marks are ignored. */
function whereTrue({ kind, negate, alternatives }: Assertion, number: number): DFA {
  const mark = markElement(number);
  const sought = toGroup(alternatives);
  const seen = resolve(kind === "ahead" ? [mark, sought] : [sought, mark], number + 1);
  const unseen = intersect(toDfa([[ANY, mark, ANY]]), complement(seen));
  return complement(ignoreMarks(negate ? seen : unseen));
}

function replaceAssertions(element: Element, by: (assertion: Assertion) => Element): Element {
  if (element.type === "Assertion") return by(element);
  if (!("alternatives" in element)) return element;
  return {
    ...element,
    alternatives: element.alternatives.map(({ elements }) => ({
      type: "Concatenation",
      elements: elements.map((each): Element => replaceAssertions(each, by)),
    })),
  };
}

/** Leaves out the parent and the position of a parsed element, for comparison. */
function withoutParents(name: string, value: unknown): unknown {
  return name === "parent" || name === "source" ? undefined : value;
}

function toGroup(alternatives: readonly Concatenation[]): Element {
  return { type: "Quantifier", alternatives: [...alternatives], min: 1, max: 1, lazy: false };
}

/** Steps that a match may take in RegExp: some milliseconds. */
const MAX_STEPS = 50_000;
const MAX_STEPS_PER_CHARACTER = 50;

/** Steps of a match that count as one step of a search. */
const STEPS_AT_ONCE = 100;

/**
 * Whether a text matches a pattern as the keyword `pattern` does: with the flag `u`, anywhere. RegExp decides unless it
 * would take too many steps; then the automaton does. `step` is called with the cost.
 *
 * Throws GivenUp if there is no automaton either.
 */
export function matchesPattern(
  pattern: string,
  text: string,
  step: (cost: number) => void = () => {},
): boolean {
  const limit = MAX_STEPS + MAX_STEPS_PER_CHARACTER * text.length;
  const cost = costOfMatch(pattern, text, limit);
  step((cost ?? limit) / STEPS_AT_ONCE);
  const verdict = cost === undefined ? undefined : testByRegExp(pattern, text);
  if (verdict !== undefined) return verdict;
  const automaton = patternAutomaton(pattern);
  if (automaton === undefined) {
    throw new GivenUp(`the pattern ${previewValue(pattern)} takes too long to match: simplify it`);
  }
  return automaton.test(Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

/** Undefined if the pattern is too large to be compiled, which becomes known when it is first used. */
function testByRegExp(pattern: string, text: string): boolean | undefined {
  try {
    return compilePattern(pattern)?.test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
