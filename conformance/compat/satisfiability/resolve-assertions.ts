import type { DFA } from "refa";
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
