import { type DFA, JS } from "refa";
import { ANY, type Concatenation, complement, type Element, intersect, toDfa } from "./automata.js";
import { resolveAssertions } from "./resolve-assertions.js";

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
