import {
  CharBase,
  CharSet,
  DFA,
  type JS,
  NFA,
  type NoParent,
  type ReadonlyNFA,
  type TransitionIterator,
} from "refa";

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

/** Limit on the transitions that are followed to make an automaton deterministic: some tenths of a second. */
const MAX_TRANSITIONS = 400_000;

/** A set of states of an automaton: one state of the deterministic one. */
interface Subset {
  readonly states: ReadonlySet<NFA.ReadonlyNode>;
}

/** Throws RangeError if it would take too many steps. */
function determine(automaton: ReadonlyNFA): DFA {
  const base = new CharBase([...automaton.nodes()].flatMap(({ out }) => [...out.values()]));
  const numbers = new Map([...automaton.nodes()].map((node, index) => [node, index]));
  const parts = new Map<CharSet, readonly number[]>();
  const partsOf = (characters: CharSet): readonly number[] => {
    const known = parts.get(characters) ?? base.split(characters);
    parts.set(characters, known);
    return known;
  };
  const subsets = new Map<string, Subset>();
  const toSubset = (states: ReadonlySet<NFA.ReadonlyNode>): Subset => {
    const key = [...states]
      .map((state) => numbers.get(state) ?? -1)
      .sort((a, b) => a - b)
      .join();
    const known = subsets.get(key) ?? { states };
    subsets.set(key, known);
    return known;
  };
  let left = MAX_TRANSITIONS;
  const getOut = ({ states }: Subset): Map<Subset, CharSet> => {
    const targets = base.sets.map(() => new Set<NFA.ReadonlyNode>());
    for (const state of states) {
      for (const [target, characters] of state.out) {
        for (const part of partsOf(characters)) {
          left -= 1;
          targets[part]?.add(target);
        }
      }
    }
    if (left < 0) throw new RangeError("too many transitions");
    const out = new Map<Subset, CharSet>();
    for (const [part, reached] of targets.entries()) {
      const characters = base.sets[part];
      if (reached.size === 0 || characters === undefined) continue;
      const subset = toSubset(reached);
      out.set(subset, out.get(subset)?.union(characters) ?? characters);
    }
    return out;
  };
  const finals: ReadonlySet<NFA.ReadonlyNode> = automaton.finals;
  const dfa = DFA.fromTransitionIterator<Subset>(
    {
      initial: toSubset(new Set([automaton.initial])),
      getOut,
      isFinal: ({ states }) => [...states].some((state) => finals.has(state)),
    },
    { maxCharacter: LAST_MARK },
    nodes(),
  );
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
