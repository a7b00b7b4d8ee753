import { CharSet, DFA, type JS, NFA, type NoParent, type TransitionIterator } from "refa";

export type Concatenation = NoParent<
  ReturnType<JS.Parser["parse"]>["expression"]
>["alternatives"][number];
export type Element = Concatenation["elements"][number];

/** Limit on the states of an automaton. */
const MAX_NODES = 10_000;

/** Marks are characters after the last code point of Unicode. */
export const MAX_MARKS = 64;
const FIRST_MARK = 0x110000;
const LAST_MARK = FIRST_MARK + MAX_MARKS - 1;

const NOTHING = CharSet.empty(LAST_MARK);
const CHARACTERS = NOTHING.union([{ min: 0, max: FIRST_MARK - 1 }]);
const MARKS = CHARACTERS.negate();

/** Any number of characters, as a part of an expression. */
export const ANY: Element = {
  type: "Quantifier",
  alternatives: [
    { type: "Concatenation", elements: [{ type: "CharacterClass", characters: CHARACTERS }] },
  ],
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
};

/** A mark as a part of an expression. */
export function markElement(mark: number): Element {
  const character = FIRST_MARK + mark;
  const characters = NOTHING.union([{ min: character, max: character }]);
  return { type: "CharacterClass", characters };
}

/** Recognises the texts that one of the alternatives matches from end to end. */
export function toDfa(alternatives: readonly (readonly Element[])[]): DFA {
  const expression = {
    type: "Expression",
    alternatives: alternatives.map(
      (elements): Concatenation => ({ type: "Concatenation", elements: elements.map(widen) }),
    ),
  } as const;
  const nfa = NFA.fromRegex(
    { ...expression, alternatives: [...expression.alternatives] },
    { maxCharacter: LAST_MARK },
    { assertions: "throw" },
    new NFA.LimitedNodeFactory(MAX_NODES),
  );
  return determine(nfa);
}

export function intersect(one: DFA, other: DFA): DFA {
  const both = DFA.fromIntersection(one, other, nodes());
  both.minimize();
  return both;
}

/** Recognises all other texts, with or without marks. */
export function complement(automaton: DFA): DFA {
  const copy = automaton.copy(nodes());
  copy.complement(nodes());
  return copy;
}

/** Recognises the same texts, with any further marks inserted. */
export function ignoreMarks(automaton: DFA): DFA {
  const { initial, getOut, isFinal } = automaton.transitionIterator();
  return fromIterator({
    initial,
    isFinal,
    getOut: (node) => {
      const out = new Map(getOut(node));
      return out.set(node, MARKS.union(out.get(node) ?? NOTHING));
    },
  });
}

/** Recognises the same texts, with the marks from `first` on removed. */
export function eraseMarks(automaton: DFA, first: number): DFA {
  const { initial, getOut, isFinal } = automaton.transitionIterator();
  const erased = { min: FIRST_MARK + first, max: LAST_MARK };
  const reach = (start: DFA.ReadonlyNode): Set<DFA.ReadonlyNode> => {
    const reached = new Set([start]);
    for (const node of reached) {
      for (const [target, characters] of getOut(node)) {
        if (!characters.isDisjointWith(erased)) reached.add(target);
      }
    }
    return reached;
  };
  return fromIterator({
    initial,
    isFinal: (node) => [...reach(node)].some(isFinal),
    getOut: (node) => {
      const out = new Map<DFA.ReadonlyNode, CharSet>();
      for (const source of reach(node)) {
        for (const [target, characters] of getOut(source)) {
          const kept = characters.without(erased).union(out.get(target) ?? NOTHING);
          if (!kept.isEmpty) out.set(target, kept);
        }
      }
      return out;
    },
  });
}

function fromIterator(iterator: TransitionIterator<DFA.ReadonlyNode>): DFA {
  const options = { maxCharacter: LAST_MARK };
  const factory = new NFA.LimitedNodeFactory(MAX_NODES);
  return determine(NFA.fromTransitionIterator(iterator, options, factory));
}

function determine(automaton: NFA): DFA {
  const dfa = DFA.fromFA(automaton, nodes());
  dfa.minimize();
  return dfa;
}

function nodes(): DFA.LimitedNodeFactory {
  return new DFA.LimitedNodeFactory(MAX_NODES);
}

/** The element, with its character classes over the alphabet that includes marks. */
function widen(element: Element): Element {
  if (element.type === "CharacterClass") {
    return { type: "CharacterClass", characters: NOTHING.union(element.characters.ranges) };
  }
  if (!("alternatives" in element)) return element;
  return {
    ...element,
    alternatives: element.alternatives.map(({ elements }) => ({
      type: "Concatenation",
      elements: elements.map(widen),
    })),
  };
}
