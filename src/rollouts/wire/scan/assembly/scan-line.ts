/**
 * AssemblyScript, compiled by `npm run compile:scan`: scans a line of JSON, 64 bytes at a time where
 * possible, without building values. See `../line-scanner.ts` for its use.
 *
 * Memory:
 *
 *     address  size
 *           0   0.5 KiB   PLACES: start and end of each described member of the line's object
 *       1,024    31 KiB   TABLE: the required shape of the line's object, written by `../shape-table.ts`
 *      32,768    16 KiB   KEYS: hashes of up to 2,048 keys of open objects; a line with more breaks a line rule
 *      49,152    80 KiB   WAITING: hash, start and end of up to 3,413 call ids; a line with more is not paired
 *     131,072             INPUT: the line, written by the caller, followed by 64 bytes of filler
 *                         and the addresses of the line's quotes, 4 bytes each
 *
 * Positions in the line are addresses. A function that reads a value returns its end, or 0 if it is not JSON or
 * cannot be decided. What is wrong with JSON clears a flag: `followsLineRules`, `fits`, `listFits` or `isPaired`.
 */

import { hash, isDigit, QUOTE, SPACE, skipDigits, skipSpace } from "./bytes";
import { FOUND, findQuotes, HAS_CONTROLS } from "./find-quotes";
import {
  beginElement,
  beginLine,
  endElement,
  setId,
  setKind,
  setName,
  WAITING,
  WAITING_LIMIT,
} from "./pairing";
import {
  ANY,
  ARRAY_TYPE,
  BOOLEAN_TYPE,
  ENTRY_SIZE,
  ENTRY_USE,
  findEntry,
  findMember,
  ID_ROLE,
  INTEGER_TYPE,
  KIND_ROLE,
  LIST_ROLE,
  mayBeMember,
  membersOf,
  NAME_ROLE,
  NODE_CONSTANTS,
  NODE_ENTRIES,
  NODE_ITEMS,
  NODE_MAXIMUM,
  NODE_MINIMUM,
  NODE_NOT_EMPTY,
  NODE_REQUIRED,
  NODE_ROLE,
  NODE_TYPES,
  NULL_TYPE,
  NUMBER_TYPE,
  OBJECT_TYPE,
  STRING_TYPE,
  TABLE,
} from "./table";

const PLACES: usize = 0;
const KEYS: usize = 32768;
const INPUT: usize = WAITING_LIMIT;

/** Size of a place, and their maximum number. */
const PLACE_SIZE: usize = 8;
const MAX_PLACES: usize = 64;

/** Longest line, 2^29 bytes. With its quotes it takes five times as much of the 2^32 addressable bytes. */
const MAX_SIZE: i32 = 536870912;
/** Maximum number of bytes read beyond a line, and eight bytes of the filler there. */
const PADDING: usize = 64;
const NOTHING: u64 = 0x7f7f7f7f7f7f7f7f;
const PAGE: usize = 65536;

/** Deeper nesting is rejected. */
const MAX_DEPTH: i32 = 500;
/** Deeper nesting breaks a line rule. */
const RULED_DEPTH: i32 = 100;
/** Integers with at most this many digits are always safe. */
const SAFE_DIGITS: usize = 15;

const COLON: u32 = 0x3a;
const COMMA: u32 = 0x2c;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;
const OPEN_BRACKET: u32 = 0x5b;
const CLOSE_BRACKET: u32 = 0x5d;
const MINUS: u32 = 0x2d;
const PLUS: u32 = 0x2b;
const POINT: u32 = 0x2e;
const ZERO: u32 = 0x30;
const SMALL_E: u32 = 0x65;

/** First letters of the literals, and four letters of each as a word: `true`, `alse` and `null`. */
const SMALL_T: u32 = 0x74;
const SMALL_F: u32 = 0x66;
const SMALL_N: u32 = 0x6e;
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;
const NULL: u32 = 0x6c6c756e;

// Bits of the result of scan().
const IS_RECORD: u32 = 1;
const FOLLOWS_LINE_RULES: u32 = 2;
const FITS: u32 = 4;
const LIST_FITS: u32 = 8;
const IS_PAIRED: u32 = 16;

export const inputAt: usize = INPUT;
export const tableAt: usize = TABLE;
export const tableEnd: usize = KEYS;

/** Whether the line follows all line rules, as far as it is read. */
let followsLineRules: bool = true;
/** Whether the current value fits its node. */
let fits: bool = true;
/** Whether the list with LIST_ROLE fits its node, and its elements are paired. */
let listFits: bool = true;
let isPaired: bool = true;

/** End of the line, and the address of its quotes. */
let end: usize = INPUT;
let quotes: usize = INPUT;
/** The next quote. Every token that begins with a quote begins with this one. */
let nextQuote: usize = 0;
/** Whether the line contains bytes below 0x20. They may occur between tokens but not within strings. */
let hasControls: bool = false;
/** Address after the keys of all open objects. */
let nextKey: usize = KEYS;

export { hash };

/** Reserves memory for a line of `size` bytes. Returns false, and keeps the memory as it is, if that fails. */
export function reserve(size: i32): bool {
  if (size > MAX_SIZE) return false;
  const room = ((size as usize) + PADDING + 7) & ~7;
  const pages = (INPUT + 5 * room + PAGE) / PAGE;
  const missing = (pages as i32) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) return false;
  quotes = INPUT + room;
  return true;
}

/** Scans a line of `size` bytes of UTF-8. Returns bits about it; 0 unless it is certainly a JSON object. */
export function scan(size: i32): u32 {
  end = INPUT + (size as usize);
  for (let at = end; at < end + PADDING; at += 8) store<u64>(at, NOTHING);
  memory.fill(PLACES, 0, MAX_PLACES * PLACE_SIZE);
  nextKey = KEYS;
  beginLine();
  nextQuote = quotes;
  const found = findQuotes(INPUT, end, quotes);
  if (found === 0) return 0;
  followsLineRules = found === FOUND;
  fits = true;
  listFits = true;
  isPaired = true;
  hasControls = (found & HAS_CONTROLS) !== 0;
  const start = skipSpace(INPUT);
  if (load<u8>(start) !== OPEN_BRACE) return 0;
  const close = readObject(start, TABLE, 1);
  if (close === 0 || skipSpace(close) !== end) return 0;
  let bits = IS_RECORD;
  if (followsLineRules) bits |= FOLLOWS_LINE_RULES;
  if (fits) bits |= FITS;
  if (listFits) bits |= LIST_FITS;
  if (isPaired) bits |= IS_PAIRED;
  return bits;
}

function readValue(at: usize, node: usize, depth: i32): usize {
  const byte: u32 = load<u8>(at);
  if (byte === QUOTE) return readString(at, node);
  if (byte === OPEN_BRACE) return readObject(at, node, depth);
  if (byte === OPEN_BRACKET) return readArray(at, node, depth);
  if (byte === SMALL_T) return readLiteral(at, TRUE, node, BOOLEAN_TYPE);
  if (byte === SMALL_F) return readLiteral(at + 1, ALSE, node, BOOLEAN_TYPE);
  if (byte === SMALL_N) return readLiteral(at, NULL, node, NULL_TYPE);
  return readNumber(at, node);
}

function expectType(node: usize, types: u64): void {
  if (node !== ANY && (load<u64>(node + NODE_TYPES) & types) === 0) fits = false;
}

function readLiteral(at: usize, letters: u32, node: usize, type: u64): usize {
  expectType(node, type);
  return load<u32>(at) === letters ? at + 4 : 0;
}

function readNumber(from: usize, node: usize): usize {
  const start = load<u8>(from) === MINUS ? from + 1 : from;
  let at = skipDigits(start);
  if (at === start || (load<u8>(start) === ZERO && at > start + 1)) return 0;
  if (at - start > SAFE_DIGITS) followsLineRules = false;
  if (load<u8>(at) === POINT) {
    const fraction = at + 1;
    at = skipDigits(fraction);
    if (at === fraction) return 0;
    expectNumber(from, at, node, NUMBER_TYPE);
  } else {
    expectNumber(from, at, node, NUMBER_TYPE | INTEGER_TYPE);
  }
  if ((load<u8>(at) | 0x20) !== SMALL_E) return at;
  // The magnitude of such a number is not checked.
  followsLineRules = false;
  const sign: u32 = load<u8>(at + 1);
  const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  at = skipDigits(exponent);
  return at === exponent ? 0 : at;
}

/** Compares a number without an exponent with its node. One that may be out of bounds does not fit. */
function expectNumber(from: usize, to: usize, node: usize, types: u64): void {
  if (node === ANY) return;
  expectType(node, types);
  const constants = load<u64>(node + NODE_CONSTANTS);
  if (constants !== 0 && findEntry(node + NODE_ENTRIES, constants, hash(from, to), from, to) === 0)
    fits = false;
  const isNegative = load<u8>(from) === MINUS;
  let least: f64 = 0;
  let at = isNegative ? from + 1 : from;
  while (isDigit(load<u8>(at))) {
    least = least * 10 + ((load<u8>(at) - ZERO) as f64);
    at += 1;
  }
  // The number is between these two, which are exact for safe digits.
  let most = at === to ? least : least + 1;
  if (isNegative) {
    const magnitude = least;
    least = -most;
    most = -magnitude;
  }
  if (least < load<f64>(node + NODE_MINIMUM) || most > load<f64>(node + NODE_MAXIMUM)) fits = false;
}

function readString(at: usize, node: usize): usize {
  const close = closeString(at);
  if (close === 0 || node === ANY) return close;
  expectType(node, STRING_TYPE);
  const from = at + 1;
  const to = close - 1;
  if (load<u64>(node + NODE_NOT_EMPTY) === 1 && from === to) fits = false;
  const constants = load<u64>(node + NODE_CONSTANTS);
  const role = load<u64>(node + NODE_ROLE);
  if (constants === 0 && role === 0) return close;
  const sum = hash(from, to);
  if (constants !== 0) {
    const constant = findEntry(node + NODE_ENTRIES, constants, sum, from, to);
    if (constant === 0) fits = false;
    else if (role === KIND_ROLE) setKind(load<u64>(constant + ENTRY_USE));
  }
  // Texts with escapes are not compared.
  if (sum === 0) isPaired = isPaired && role === 0;
  if (role === NAME_ROLE) setName(to === from);
  if (role === ID_ROLE) setId(sum, from, to);
  return close;
}

/** Returns the end of the string that begins at `at`, which is the next quote. */
function closeString(at: usize): usize {
  const close = load<u32>(nextQuote + 4) as usize;
  nextQuote += 8;
  if (close === end) return 0;
  if (hasControls) {
    for (let inside = at + 1; inside < close; inside += 1) {
      if (load<u8>(inside) < SPACE) return 0;
    }
  }
  return close + 1;
}

function isTooDeep(depth: i32): bool {
  if (depth > RULED_DEPTH) followsLineRules = false;
  return depth > MAX_DEPTH;
}

function readArray(from: usize, node: usize, depth: i32): usize {
  if (isTooDeep(depth)) return 0;
  expectType(node, ARRAY_TYPE);
  const items = node === ANY ? ANY : (load<u64>(node + NODE_ITEMS) as usize);
  const isList = node !== ANY && load<u64>(node + NODE_ROLE) === LIST_ROLE;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_BRACKET) {
    if (node !== ANY && load<u64>(node + NODE_NOT_EMPTY) === 1) fits = false;
    return at + 1;
  }
  while (true) {
    if (isList) beginElement();
    at = readValue(at, items, depth + 1);
    if (at === 0) return 0;
    if (isList && isPaired && !endElement()) isPaired = false;
    at = skipSpace(at);
    const byte: u32 = load<u8>(at);
    if (byte === CLOSE_BRACKET) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function readObject(from: usize, node: usize, depth: i32): usize {
  if (isTooDeep(depth)) return 0;
  expectType(node, OBJECT_TYPE);
  const ownKeys = nextKey;
  let missing: u64 = node === ANY ? 0 : load<u64>(node + NODE_REQUIRED);
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_BRACE) {
    if (missing !== 0) fits = false;
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    at = closeString(at);
    if (at === 0) return 0;
    const keyEnd = at - 1;
    const sum = hash(key, keyEnd);
    if (followsLineRules && !addKey(ownKeys, sum)) followsLineRules = false;
    const entry = node === ANY ? 0 : findMember(node, sum, key, keyEnd);
    at = skipSpace(at);
    if (load<u8>(at) !== COLON) return 0;
    const value = skipSpace(at + 1);
    if (entry === 0) {
      at = readValue(value, ANY, depth + 1);
      if (at === 0) return 0;
      if (node === TABLE && sum === 0 && mayBeMember(key, keyEnd)) return 0;
    } else {
      const index = (entry - membersOf(node)) / ENTRY_SIZE;
      missing &= ~((1 as u64) << (index as u64));
      const member = load<u64>(entry + ENTRY_USE) as usize;
      at = node === TABLE ? readMember(value, member, index) : readValue(value, member, depth + 1);
      if (at === 0) return 0;
    }
    at = skipSpace(at);
    const byte: u32 = load<u8>(at);
    if (byte === CLOSE_BRACE) {
      if (missing !== 0) fits = false;
      nextKey = ownKeys;
      return at + 1;
    }
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

/** Reads a described member of the line's object and stores its place. Whether the list fits is told apart. */
function readMember(from: usize, node: usize, index: usize): usize {
  const othersFit = fits;
  fits = true;
  const to = readValue(from, node, 2);
  store<u32>(PLACES + index * PLACE_SIZE, from as u32);
  store<u32>(PLACES + index * PLACE_SIZE, to as u32, 4);
  if (node !== ANY && load<u64>(node + NODE_ROLE) === LIST_ROLE) {
    listFits = fits;
    fits = othersFit;
  } else {
    fits = fits && othersFit;
  }
  return to;
}

/** Tells whether the key has no escapes and is new in its object. False also if that cannot be decided. */
function addKey(ownKeys: usize, sum: u64): bool {
  for (let key = ownKeys; key < nextKey; key += 8) {
    if (load<u64>(key) === sum) return false;
  }
  if (nextKey === WAITING) return false;
  store<u64>(nextKey, sum);
  nextKey += 8;
  return sum !== 0;
}
