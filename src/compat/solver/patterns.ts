import { type DFA, JS } from "refa";
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

/** Automata that are kept; with more of them, all are forgotten. */
const MAX_AUTOMATA = 500;

const automata = new Map<string, DFA | undefined>();

/**
 * What recognises the texts that match a pattern of ECMAScript as `pattern` does: with the flag `u`, anywhere
 * in the text. Undefined for a pattern that no finite automaton of a bearable size recognises.
 */
export function patternAutomaton(pattern: string): DFA | undefined {
  if (automata.has(pattern)) return automata.get(pattern);
  if (automata.size >= MAX_AUTOMATA) automata.clear();
  const made = unlessTooComplex(() => make(pattern));
  automata.set(pattern, made);
  return made;
}

/** What recognises the texts that all of the automata recognise, and none of the others. */
export function combine(matching: readonly DFA[], notMatching: readonly DFA[]): DFA | undefined {
  return unlessTooComplex(() =>
    [...matching, ...notMatching.map(complement)].reduce(intersect, toDfa([[ANY]])),
  );
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
  const { expression } = JS.Parser.fromLiteral({ source: pattern, flags: "u" }).parse();
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

/** `^` and `$`, which are read as: no character before, no character behind. */
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
 * What recognises the texts that hold a match of one of the alternatives, in which assertions look ahead or
 * behind. Each assertion is read as a mark among the characters; of the texts with marks those are kept whose
 * marks stand at places of which their assertions are true; then the marks are erased.
 */
export function resolveAssertions(alternatives: readonly Concatenation[]): DFA {
  return resolve([toGroup(alternatives)], 0);
}

/** The marks from `first` on are free. */
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

/** The texts, with any marks, in which each mark of a number stands where the assertion is true. */
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

/** A parsed element names the one that holds it, and where in the pattern it stands. */
function withoutParents(name: string, value: unknown): unknown {
  return name === "parent" || name === "source" ? undefined : value;
}

function toGroup(alternatives: readonly Concatenation[]): Element {
  return { type: "Quantifier", alternatives: [...alternatives], min: 1, max: 1, lazy: false };
}

/** Compiled patterns that are kept; with more of them, all are forgotten. */
const MAX_PATTERNS = 1000;

const compiled = new Map<string, RegExp>();

/** Whether a text matches a pattern as `pattern` does: with the flag `u`, anywhere. */
export function matchesPattern(pattern: string, text: string): boolean {
  const known = compiled.get(pattern);
  if (known !== undefined) return known.test(text);
  if (compiled.size >= MAX_PATTERNS) compiled.clear();
  const made = new RegExp(pattern, "u");
  compiled.set(pattern, made);
  return made.test(text);
}
