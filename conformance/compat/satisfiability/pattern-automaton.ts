import { CharSet, DFA, JS, NFA, type NoParent, Transformers, transform } from "refa";

type Expression = ReturnType<JS.Parser["parse"]>["expression"];
type Concatenation = NoParent<Expression>["alternatives"][number];
type Element = Concatenation["elements"][number];

const MAX_CHARACTER = 0x10ffff;
/** Two code points that are no characters stand for where a text begins and ends. */
export const TEXT_START = 0x10fffe;
export const TEXT_END = 0x10ffff;

const MAX_NODES = 20_000;

const CHARACTERS = CharSet.all(MAX_CHARACTER).without({ min: TEXT_START, max: TEXT_END });

/** Characters between the marks of a text's two ends. */
const TEXTS = toDfa([characterClass(TEXT_START), anyText(), characterClass(TEXT_END)]);

/**
 * What recognises the texts that match a pattern of ECMAScript, as `pattern` does: with the flag `u`, anywhere
 * in the text. The texts stand between TEXT_START and TEXT_END. Undefined for a pattern that no finite
 * automaton of a bearable size recognises.
 */
export function patternAutomaton(pattern: string): DFA | undefined {
  const known = automata.get(pattern);
  if (known !== undefined || automata.has(pattern)) return known;
  const made = unlessTooComplex(() => make(pattern));
  automata.set(pattern, made);
  return made;
}

/** What recognises the texts that all of the automata recognise, and none of the others. */
export function combine(matching: readonly DFA[], notMatching: readonly DFA[]): DFA | undefined {
  return unlessTooComplex(() =>
    [...matching, ...notMatching.map(complement)].reduce(intersect, TEXTS),
  );
}

const automata = new Map<string, DFA | undefined>();

function make(pattern: string): DFA {
  const { expression } = JS.Parser.fromLiteral({ source: pattern, flags: "u" }).parse();
  const [first, ...others] = expression.alternatives.map(automatonOfAlternative);
  if (first === undefined) throw new RangeError("a pattern has an alternative");
  const all = NFA.fromFA(first);
  for (const other of others) all.union(other);
  return intersect(DFA.fromFA(all, nodes()), TEXTS);
}

/** Assertions about what follows are understood at the start of a text, as sets of texts. */
function automatonOfAlternative({ elements }: Concatenation): DFA {
  const [start, ...rest] = elements;
  if (start === undefined || !isTextStart(start)) return automatonOf(elements);
  const end = rest.findIndex((element) => !isLookahead(element));
  const ahead = end < 0 ? rest : rest.slice(0, end);
  const body = automatonOf([start, ...rest.slice(ahead.length)]);
  return ahead.reduce((texts, element) => {
    if (element.type !== "Assertion") return texts;
    const [first, ...others] = element.alternatives.map((alternative) =>
      automatonOf([start, ...alternative.elements]),
    );
    if (first === undefined) return texts;
    const any = NFA.fromFA(first);
    for (const other of others) any.union(other);
    const asserted = DFA.fromFA(any, nodes());
    return intersect(texts, element.negate ? complement(asserted) : asserted);
  }, body);
}

function automatonOf(elements: readonly Element[]): DFA {
  const marked = elements.map(markEnds);
  const before: Element[] = [characterClass(TEXT_START), anyText()];
  const after: Element[] = [anyText(), characterClass(TEXT_END)];
  // What consumes an end of the text itself has nothing before it, or nothing after it.
  return toDfa([
    ...(elements.some(hasTextStart) ? [optional(before)] : before),
    ...marked,
    ...(elements.some(hasTextEnd) ? [optional(after)] : after),
  ]);
}

function toDfa(elements: Element[]): DFA {
  const expression: NoParent<Expression> = {
    type: "Expression",
    alternatives: [{ type: "Concatenation", elements }],
  };
  const resolved = transform(Transformers.applyAssertions(), expression);
  const nfa = NFA.fromRegex(
    resolved,
    { maxCharacter: MAX_CHARACTER },
    { assertions: "throw" },
    new NFA.LimitedNodeFactory(MAX_NODES),
  );
  const dfa = DFA.fromFA(nfa, nodes());
  dfa.minimize();
  return dfa;
}

function nodes(): DFA.LimitedNodeFactory {
  return new DFA.LimitedNodeFactory(MAX_NODES);
}

function intersect(one: DFA, other: DFA): DFA {
  const both = DFA.fromIntersection(one, other, nodes());
  both.minimize();
  return both;
}

function complement(automaton: DFA): DFA {
  const copy = automaton.copy(nodes());
  copy.complement(nodes());
  return intersect(copy, TEXTS);
}

function unlessTooComplex<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    // Back references, assertions in the middle, and automata with too many states.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The element with the ends of the text as characters. */
function markEnds(element: Element): Element {
  if (isTextStart(element)) return characterClass(TEXT_START);
  if (isTextEnd(element)) return characterClass(TEXT_END);
  if (element.type === "CharacterClass") {
    return { type: "CharacterClass", characters: element.characters.intersect(CHARACTERS) };
  }
  if (!("alternatives" in element)) return element;
  return {
    ...element,
    alternatives: element.alternatives.map(({ elements }) => ({
      type: "Concatenation",
      elements: elements.map(markEnds),
    })),
  };
}

function hasTextStart(element: Element): boolean {
  return isTextStart(element) || childrenOf(element).some(hasTextStart);
}

function hasTextEnd(element: Element): boolean {
  return isTextEnd(element) || childrenOf(element).some(hasTextEnd);
}

function childrenOf(element: Element): Element[] {
  if (!("alternatives" in element)) return [];
  return element.alternatives.flatMap(({ elements }) => elements);
}

/** `^`, which is read as: no character before. */
function isTextStart(element: Element): boolean {
  return isEnd(element, "behind");
}

function isTextEnd(element: Element): boolean {
  return isEnd(element, "ahead");
}

function isEnd(element: Element, kind: "ahead" | "behind"): boolean {
  if (element.type !== "Assertion" || element.kind !== kind || !element.negate) return false;
  const [only, ...others] = childrenOf(element);
  return others.length === 0 && only?.type === "CharacterClass" && only.characters.isAll;
}

function isLookahead(element: Element): boolean {
  return element.type === "Assertion" && element.kind === "ahead" && !isTextEnd(element);
}

function characterClass(character: number): Element {
  return {
    type: "CharacterClass",
    characters: CharSet.fromCharacter(MAX_CHARACTER, character),
  };
}

function anyText(): Element {
  const elements: Element[] = [{ type: "CharacterClass", characters: CHARACTERS }];
  return quantifier(elements, 0, Number.POSITIVE_INFINITY);
}

function optional(elements: Element[]): Element {
  return quantifier(elements, 0, 1);
}

function quantifier(elements: Element[], min: number, max: number): Element {
  const alternatives: Concatenation[] = [{ type: "Concatenation", elements }];
  return { type: "Quantifier", alternatives, min, max, lazy: false };
}
