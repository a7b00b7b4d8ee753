import type { DFA } from "refa";
import { combine, matchesPattern, patternAutomaton } from "./patterns.js";

/** The texts that are sought. */
export interface MatchRequest {
  readonly matching: readonly string[];
  readonly notMatching: readonly string[];
  /** Least and largest number of code points. */
  readonly min: number;
  readonly max: number;
  readonly excluded: ReadonlySet<string>;
  /** Called for each character tried; throws to stop the search. */
  readonly step: (cost?: number) => void;
}

type Match =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly because: string };

/** Finds a shortest text that matches all of `matching` and none of `notMatching`. */
export function findMatch(request: MatchRequest): Match {
  const { matching, notMatching } = request;
  const [wanted, unwanted] = [matching.map(patternAutomaton), notMatching.map(patternAutomaton)];
  const known = [...wanted, ...unwanted].every((automaton) => automaton !== undefined);
  const all = combine(wanted.filter(isDefined), unwanted.filter(isDefined), request.step);
  if (all === undefined) return { kind: "unknown", because: "patterns that are too complex" };
  const text = search(all, request, (text) => known || matchesAll(text, request));
  if (text !== undefined) return { kind: "found", text };
  // Patterns without an automaton can only rule out more texts.
  return known || isExhaustive(all, request)
    ? { kind: "none" }
    : { kind: "unknown", because: "a pattern that is not regular, or too complex" };
}

/** Preferred characters for witnesses. */
const READABLE = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-. /:@"].map(
  (character) => character.charCodeAt(0),
);

/** Some texts of one length, by the state that they lead to. */
type Layer = Map<DFA.ReadonlyNode, string[]>;

function search(
  automaton: DFA,
  request: MatchRequest,
  isWanted: (text: string) => boolean,
): string | undefined {
  const { min, max, excluded, step } = request;
  // One more than are excluded, so that one remains.
  const kept = excluded.size + 1;
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const states = [...automaton.nodes()].length;
  const longest = Math.min(max, min + states * (kept + 1));
  let layer: Layer = new Map([[automaton.initial, [""]]]);
  for (let length = 0; length <= longest && layer.size > 0; length += 1) {
    if (length >= min) {
      for (const [node, texts] of layer) {
        if (!finals.has(node)) continue;
        const text = texts.find((each) => !excluded.has(each) && isWanted(each));
        if (text !== undefined) return text;
      }
    }
    layer = advance(layer, kept, step);
  }
  return undefined;
}

function advance(layer: Layer, kept: number, step: () => void): Layer {
  const next: Layer = new Map();
  for (const [node, texts] of layer) {
    for (const [range, target] of node.out) {
      const known = next.get(target) ?? [];
      next.set(target, known);
      for (const character of charactersOf(range, kept)) {
        step();
        for (const text of texts) {
          if (known.length >= kept) break;
          known.push(text + String.fromCodePoint(character));
        }
      }
    }
  }
  return next;
}

/** Some characters of a range, preferred ones first. */
function* charactersOf(
  { min, max }: { readonly min: number; readonly max: number },
  count: number,
): Generator<number> {
  const readable = READABLE.filter((character) => character >= min && character <= max);
  yield* readable.slice(0, count);
  let left = count - readable.length;
  for (let character = min; character <= max && left > 0; character += 1) {
    if (readable.includes(character)) continue;
    yield character;
    left -= 1;
  }
}

function isDefined(automaton: DFA | undefined): automaton is DFA {
  return automaton !== undefined;
}

function matchesAll(text: string, { matching, notMatching, step }: MatchRequest): boolean {
  const matches = (pattern: string): boolean => matchesPattern(pattern, text, step);
  return matching.every(matches) && !notMatching.some(matches);
}

/** Whether the automaton alone already rules out every text. */
function isExhaustive(automaton: DFA, request: MatchRequest): boolean {
  return search(automaton, request, () => true) === undefined;
}
