import { areEqual } from "./bytes";

/**
 * Pairs the calls in a list with their answers. The ids of unanswered calls are stored from WAITING to
 * WAITING_LIMIT, each with its hash, start and end. The rule is that of `src/rollouts/wire/conversation/pairing.ts`.
 */
export const WAITING: usize = 49152;
export const WAITING_LIMIT: usize = 131072;

/** Size of a waiting id, and the offsets of its start and end. */
const SIZE: usize = 24;
const START: usize = 8;
const END: usize = 16;

/** Kinds of elements; 0 is neither. */
const CALL: u64 = 1;
const ANSWER: u64 = 2;

/** Address after the last waiting id. */
let next: usize = WAITING;

/** State of the current element: its kind, whether it has a name, and its id (empty if it has none). */
let kind: u64 = 0;
let isNamed: bool = false;
let idHash: u64 = 0;
let idStart: usize = 0;
let idEnd: usize = 0;

/** Forgets all waiting ids. */
export function beginLine(): void {
  next = WAITING;
}

export function beginElement(): void {
  kind = 0;
  isNamed = false;
  idStart = 0;
  idEnd = 0;
}

export function setKind(value: u64): void {
  kind = value;
}

export function setName(isEmpty: bool): void {
  isNamed = !isEmpty;
}

export function setId(hash: u64, start: usize, end: usize): void {
  idHash = hash;
  idStart = start;
  idEnd = end;
}

/**
 * Tells whether the element has a name and is either a call with an id, which then waits, or the answer to a
 * waiting call.
 */
export function endElement(): bool {
  if (!isNamed || idStart === idEnd) return false;
  let waiting = WAITING;
  while (waiting < next && !isWaiting(waiting)) waiting += SIZE;
  if (kind === ANSWER) {
    if (waiting === next) return false;
    next -= SIZE;
    memory.copy(waiting, next, SIZE);
    return true;
  }
  if (kind !== CALL || waiting !== next || waiting + SIZE > WAITING_LIMIT) return false;
  store<u64>(waiting, idHash);
  store<u64>(waiting + START, idStart as u64);
  store<u64>(waiting + END, idEnd as u64);
  next += SIZE;
  return true;
}

/** Tells whether the current id equals the one stored at `waiting`. */
function isWaiting(waiting: usize): bool {
  if (load<u64>(waiting) !== idHash) return false;
  const start = load<u64>(waiting + START) as usize;
  return areEqual(idStart, idEnd, start, load<u64>(waiting + END) as usize);
}
