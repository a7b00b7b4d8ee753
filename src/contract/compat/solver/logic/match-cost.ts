import { type CharSet, JS } from "refa";
import { compilePattern } from "../../schema/compile-pattern.js";
import type { Concatenation, Element } from "./automata.js";

/** One instruction of a backtracking matcher. */
type Instruction =
  | { readonly op: "character"; readonly characters: CharSet; readonly isBackward: boolean }
  /** Tries the next instruction, and later the others. */
  | { readonly op: "try"; readonly others: readonly number[] }
  | { readonly op: "jump"; to: number }
  | { readonly op: "enter" }
  | {
      readonly op: "repeat";
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
      exit: number;
    }
  | { readonly op: "again"; readonly repeat: number }
  | { readonly op: "look"; readonly program: Program; readonly negate: boolean }
  /** Anything at all, for a back reference. */
  | { readonly op: "unknown" };

interface Program {
  readonly code: readonly Instruction[];
  /** Whether the text of a back reference is unknown: every attempt is then followed to its end. */
  readonly isExhaustive: boolean;
}

/** The repetitions that are open, from the inside out. */
interface Frame {
  readonly count: number;
  /** Where the current repetition began. */
  readonly start: number;
  readonly below: Frame | undefined;
}

/**
 * The steps that a backtracking matcher such as RegExp needs at most to find out whether a text contains a match;
 * undefined if they are more than `limit`, or the pattern is too large. Counts, so that it does not depend on the speed
 * of a machine.
 */
export function costOfMatch(pattern: string, text: string, limit: number): number | undefined {
  const program = programOf(pattern);
  if (program === undefined) return undefined;
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const meter = { left: limit };
  for (let start = 0; start <= characters.length; start += 1) {
    if (runFrom(program, characters, start, meter) && !program.isExhaustive) break;
    if (meter.left < 0) return undefined;
  }
  return meter.left < 0 ? undefined : limit - meter.left;
}

/** Size of the cache; it is cleared when full. */
const MAX_PROGRAMS = 1000;

/** Limit on the parts of a pattern. */
const MAX_NODES = 100_000;

const programs = new Map<string, Program | undefined>();

/** Undefined if the pattern is too large. */
function programOf(pattern: string): Program | undefined {
  if (programs.has(pattern)) return programs.get(pattern);
  if (programs.size >= MAX_PROGRAMS) programs.clear();
  const program = compile(pattern);
  programs.set(pattern, program);
  return program;
}

function compile(pattern: string): Program | undefined {
  try {
    const flags = compilePattern(pattern)?.flags ?? "u";
    const parser = JS.Parser.fromLiteral({ source: pattern, flags });
    const options = {
      simplify: false,
      maxNodes: MAX_NODES,
      maxBackreferenceWords: 0,
      backreferences: "unknown",
    } as const;
    const { expression } = parser.parse(options);
    return toProgram(expression.alternatives, false);
  } catch (error) {
    // Too many parts, or nested too deeply.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function toProgram(alternatives: readonly Concatenation[], isBackward: boolean): Program {
  const code: Instruction[] = [];
  addAlternatives(alternatives, isBackward, code);
  const isExhaustive = code.some(
    (each) => each.op === "unknown" || (each.op === "look" && each.program.isExhaustive),
  );
  return { code, isExhaustive };
}

function addAlternatives(
  alternatives: readonly Concatenation[],
  isBackward: boolean,
  code: Instruction[],
): void {
  const others: number[] = [];
  if (alternatives.length > 1) code.push({ op: "try", others });
  const ends: { op: "jump"; to: number }[] = [];
  for (const [index, { elements }] of alternatives.entries()) {
    if (index > 0) others.push(code.length);
    for (const element of isBackward ? elements.toReversed() : elements) {
      addElement(element, isBackward, code);
    }
    if (index === alternatives.length - 1) continue;
    const end = { op: "jump" as const, to: 0 };
    ends.push(end);
    code.push(end);
  }
  for (const end of ends) end.to = code.length;
}

function addElement(element: Element, isBackward: boolean, code: Instruction[]): void {
  switch (element.type) {
    case "CharacterClass":
      code.push({ op: "character", characters: element.characters, isBackward });
      break;
    case "Alternation":
      addAlternatives(element.alternatives, isBackward, code);
      break;
    case "Quantifier": {
      const { min, max, lazy: isLazy } = element;
      code.push({ op: "enter" });
      const repeat = { op: "repeat" as const, min, max, isLazy, exit: 0 };
      const at = code.push(repeat) - 1;
      addAlternatives(element.alternatives, isBackward, code);
      code.push({ op: "again", repeat: at });
      repeat.exit = code.length;
      break;
    }
    case "Assertion": {
      const program = toProgram(element.alternatives, element.kind === "behind");
      code.push({ op: "look", program, negate: element.negate });
      break;
    }
    case "Unknown":
      code.push({ op: "unknown" });
  }
}

interface Thread {
  readonly pc: number;
  readonly at: number;
  readonly frame: Frame | undefined;
}

/** Whether there is a match that begins at `start`. Stops when nothing is left of the limit. */
function runFrom(
  { code, isExhaustive }: Program,
  characters: readonly number[],
  start: number,
  meter: { left: number },
): boolean {
  const threads: Thread[] = [{ pc: 0, at: start, frame: undefined }];
  let isMatched = false;
  for (let thread = threads.pop(); thread !== undefined; thread = threads.pop()) {
    let { pc, at, frame } = thread;
    for (;;) {
      meter.left -= 1;
      if (meter.left < 0) return isMatched;
      const next = code[pc];
      if (next === undefined) {
        if (!isExhaustive) return true;
        isMatched = true;
        break;
      }
      pc += 1;
      if (next.op === "character") {
        const character = characters[next.isBackward ? at - 1 : at];
        if (character === undefined || !next.characters.has(character)) break;
        at += next.isBackward ? -1 : 1;
      } else if (next.op === "try") {
        for (const other of next.others.toReversed()) threads.push({ pc: other, at, frame });
      } else if (next.op === "jump") pc = next.to;
      else if (next.op === "enter") frame = { count: 0, start: at, below: frame };
      else if (next.op === "repeat") {
        const { count = 0, below }: Partial<Frame> = frame ?? {};
        const again = { pc, at, frame: { count, start: at, below } };
        const out = { pc: next.exit, at, frame: below };
        const ways = count < next.min ? [again] : count < next.max ? [again, out] : [out];
        const [first = out, second] = next.isLazy ? ways.toReversed() : ways;
        if (second !== undefined) threads.push(second);
        ({ pc, at, frame } = first);
      } else if (next.op === "again") {
        const { count = 0, start: began = -1, below }: Partial<Frame> = frame ?? {};
        const { [next.repeat]: repeat } = code;
        // ECMAScript repeats nothing that matched no character, beyond the minimum.
        if (repeat?.op === "repeat" && count >= repeat.min && began === at) break;
        frame = { count: count + 1, start: at, below };
        pc = next.repeat;
      } else if (next.op === "look") {
        const isTrue = runFrom(next.program, characters, at, meter) !== next.negate;
        if (!isTrue && !next.program.isExhaustive) break;
      } else {
        for (let end = characters.length; end >= 0; end -= 1) {
          if (end !== at) threads.push({ pc, at: end, frame });
        }
        meter.left -= characters.length;
      }
    }
  }
  return isMatched;
}
