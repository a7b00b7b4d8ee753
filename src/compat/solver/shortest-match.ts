import type { DFA } from "refa";
import { combine, matchesPattern, patternAutomaton } from "./patterns.js";

export interface MatchRequest {
  readonly matching: readonly string[];
  readonly notMatching: readonly string[];
  /** Least and largest number of code points. */
  readonly min: number;
  readonly max: number;
  readonly excluded: ReadonlySet<string>;
  /** Is called for every character tried; throws to give up. */
  readonly step: () => void;
}

export type Word =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly because: string };

/** A shortest text that matches all of these patterns and none of those. */
export function findMatch(request: MatchRequest): Word {
  const { matching, notMatching } = request;
  const [wanted, unwanted] = [matching.map(patternAutomaton), notMatching.map(patternAutomaton)];
  const known = [...wanted, ...unwanted].every((automaton) => automaton !== undefined);
  const all = combine(wanted.filter(isDefined), unwanted.filter(isDefined));
  if (all === undefined) return { kind: "unknown", because: "patterns that are too complex" };
  const text = search(all, request, (word) => known || matchesAll(word, request));
  if (text !== undefined) return { kind: "found", text };
  // What is not known only narrows the choice.
  return known || isExhaustive(all, request)
    ? { kind: "none" }
    : { kind: "unknown", because: "a pattern that is no regular language, or too complex" };
}

/** Characters that a witness is best made of. */
const READABLE = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-. /:@"].map(
  (character) => character.charCodeAt(0),
);

/** Words that are kept for one state and one length. */
type Layer = Map<DFA.ReadonlyNode, string[]>;

function search(
  automaton: DFA,
  request: MatchRequest,
  isWanted: (word: string) => boolean,
): string | undefined {
  const { min, max, excluded, step } = request;
  // One more than are excluded, so that one is left.
  const kept = excluded.size + 1;
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const states = [...automaton.nodes()].length;
  const longest = Math.min(max, min + states * (kept + 1));
  let layer: Layer = new Map([[automaton.initial, [""]]]);
  for (let length = 0; length <= longest && layer.size > 0; length += 1) {
    if (length >= min) {
      for (const [node, words] of layer) {
        if (!finals.has(node)) continue;
        const word = words.find((each) => !excluded.has(each) && isWanted(each));
        if (word !== undefined) return word;
      }
    }
    layer = advance(layer, kept, step);
  }
  return undefined;
}

function advance(layer: Layer, kept: number, step: () => void): Layer {
  const next: Layer = new Map();
  for (const [node, words] of layer) {
    for (const [range, target] of node.out) {
      const known = next.get(target) ?? [];
      next.set(target, known);
      for (const character of charactersOf(range, kept)) {
        step();
        for (const word of words) {
          if (known.length >= kept) break;
          known.push(word + String.fromCodePoint(character));
        }
      }
    }
  }
  return next;
}

/** Some characters of a range, the readable ones first. */
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

function matchesAll(word: string, { matching, notMatching }: MatchRequest): boolean {
  const matches = (pattern: string): boolean => matchesPattern(pattern, word);
  return matching.every(matches) && !notMatching.some(matches);
}

/** Whether no text at all is left, whatever the patterns are that no automaton was made of. */
function isExhaustive(automaton: DFA, request: MatchRequest): boolean {
  return search(automaton, request, () => true) === undefined;
}
