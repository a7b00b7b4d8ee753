/**
 * AssemblyScript, compiled by `npm run compile:scan`: reads a line of JSON byte by byte, sixteen at a time
 * where that can be done, and makes no values of it. See `../line-scanner.ts` for what it is good for.
 *
 * Memory, in bytes:
 *
 *     RESULT    what scan() found, three 32-bit numbers
 *     TABLE     the shape that one value has to have, written by `../to-shape-table.ts`
 *     KEYS      hashes of the keys of all objects that are open
 *     WAITING   the ids of elements that no other one answered yet: hash, beginning, end
 *     INPUT     the line, written by the caller
 *     QUOTES    behind it, where the quotes of the line stand, 32 bits each
 *
 * Positions in the line are addresses. A function that reads a value gives its end, and 0 for what is no
 * JSON; what is JSON, but not plain, sets `isPlain`.
 */

const RESULT: usize = 1024;
const TABLE: usize = 2048;
const KEYS: usize = 16384;
const WAITING: usize = 32768;
const INPUT: usize = 131072;

/** What is read past the end of the line, at most. */
const PADDING: usize = 64;
const PAGE: usize = 65536;

/** What is nested more deeply is not read. */
const MAX_DEPTH: i32 = 500;
/** What is nested more deeply is not plain. */
const PLAIN_DEPTH: i32 = 100;
/** Digits of an integer that is safe whatever they are. */
const SAFE_DIGITS: usize = 15;

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const COLON: u32 = 0x3a;
const COMMA: u32 = 0x2c;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;
const OPEN_BRACKET: u32 = 0x5b;
const CLOSE_BRACKET: u32 = 0x5d;
const SPACE: u32 = 0x20;
const TAB: u32 = 0x09;
const CARRIAGE_RETURN: u32 = 0x0d;

/** A byte of each kind in all eight of a word. */
const ONES: u64 = 0x0101010101010101;
const HIGHS: u64 = 0x8080808080808080;
const BACKSLASHES: u64 = 0x5c5c5c5c5c5c5c5c;
/** Eight bytes that are no part of JSON, nor of what is looked for in it. */
const NOTHING: u64 = 0x7f7f7f7f7f7f7f7f;
const ODD_BITS: u64 = 0xaaaaaaaaaaaaaaaa;

// A node of the table: 64-bit words at these offsets, then its constants, then its members.
const NODE_TYPES: usize = 0;
const NODE_ROLE: usize = 8;
const NODE_ITEMS: usize = 16;
const NODE_CONSTANTS: usize = 24;
const NODE_MEMBERS: usize = 32;
const NODE_LISTS: usize = 40;
// A constant or a member: its hash, where its text stands, how long that is, and the constant's role or the member's
// node.
const NAME_TEXT: usize = 8;
const NAME_LENGTH: usize = 16;
const NAME_USE: usize = 24;
const NAME_SIZE: usize = 32;

/** The node of any value. */
const ANY: usize = 0;

/** Types, as bits. */
const STRING: u64 = 1;
const NUMBER: u64 = 2;
const BOOLEAN: u64 = 4;
const NULL: u64 = 8;
const OBJECT: u64 = 16;
const ARRAY: u64 = 32;

/** Roles of strings in an element, and of the constants that a kind can be. */
const KIND: u64 = 1;
const NAME: u64 = 2;
const ID: u64 = 3;
const CALL: u64 = 1;
const ANSWER: u64 = 2;

const WAITING_SIZE: usize = 24;

let quotes: usize = INPUT;
/** The next quote that was not come to. */
let nextQuote: usize = 0;
let end: usize = INPUT;
let nextKey: usize = KEYS;
let nextWaiting: usize = WAITING;
let kind: u64 = 0;
let isNamed: bool = false;
let idHash: u64 = 0;
let idStart: usize = 0;
let idEnd: usize = 0;
let isPlain: bool = true;
let hasControls: bool = false;
let cutStart: usize = 0;
let cutEnd: usize = 0;

/** Makes room for a line of `size` bytes, and gives where it is to be written; 0 when there is no room. */
export function reserve(size: i32): usize {
  const room = ((size as usize) + PADDING + 7) & ~7;
  quotes = INPUT + room;
  const pages = (quotes + 4 * room + PAGE) / PAGE;
  const missing = (pages as i32) - memory.size();
  return missing > 0 && memory.grow(missing) < 0 ? 0 : INPUT;
}

export const resultAt: usize = RESULT;
export const tableAt: usize = TABLE;
export const tableEnd: usize = KEYS;

/**
 * Scans the line of `size` bytes of UTF-8. Gives whether it is a JSON object; if so, RESULT holds whether it is
 * plain, and where the value that the table is about begins and ends.
 */
export function scan(size: i32): bool {
  end = INPUT + (size as usize);
  for (let at = end; at < end + PADDING; at += 8) store<u64>(at, NOTHING);
  isPlain = true;
  hasControls = false;
  cutStart = 0;
  cutEnd = 0;
  nextKey = KEYS;
  nextWaiting = WAITING;
  nextQuote = quotes;
  if (!findQuotes()) return false;
  if (hasControls) isPlain = false;
  const start = skipSpace(INPUT);
  if (load<u8>(start) !== OPEN_BRACE) return false;
  const close = readObject(start, TABLE, 1);
  if (close === 0 || skipSpace(close) !== end) return false;
  store<u32>(RESULT, isPlain ? 1 : 0);
  store<u32>(RESULT + 4, cutStart as u32);
  store<u32>(RESULT + 8, cutEnd as u32);
  return true;
}

/** A 64-bit hash of some bytes, 0 when there is a backslash among them. */
export function hash(from: usize, to: usize): u64 {
  let sum: u64 = (to - from) as u64;
  for (let at = from; at < to; at += 8) {
    const word = wordAt(at, to);
    const marked = word ^ BACKSLASHES;
    if (((marked - ONES) & ~marked & HIGHS) !== 0) return 0;
    sum = (rotl(sum, 23) ^ word) * 0x9e3779b97f4a7c15;
  }
  return sum | 1;
}

/** The eight bytes at `at`; those from `to` are zero. */
function wordAt(at: usize, to: usize): u64 {
  const word = load<u64>(at);
  const left = to - at;
  return left < 8 ? word & (((1 as u64) << ((left as u64) * 8)) - 1) : word;
}

/**
 * Writes down where the quotes are that begin or end a string. Gives false for an escape that JSON does not
 * know. What the eight-byte arithmetic does is described in "Parsing Gigabytes of JSON per Second" (Langdale and
 * Lemire, 2019), section 3.1.1.
 */
function findQuotes(): bool {
  const limit = i8x16.splat(SPACE as i8);
  let found = quotes;
  /** 1 when the first byte of the next 64 is escaped by the last of these. */
  let carry: u64 = 0;
  for (let at = INPUT; at < end; at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
    if (v128.any_true(i8x16.lt_u(least, limit))) hasControls = true;
    let bits = bitsOf(a, b, c, d, QUOTE);
    const backslashes = bitsOf(a, b, c, d, BACKSLASH);
    if ((backslashes | carry) !== 0) {
      const first = backslashes & ~carry;
      const both = (((first << 1) | ODD_BITS) - first) ^ ODD_BITS;
      const escaped = both ^ (backslashes | carry);
      carry = (both & backslashes) >> 63;
      if (!areEscapes(at, escaped)) return false;
      bits &= ~escaped;
    }
    while (bits !== 0) {
      store<u32>(found, (at + (ctz(bits) as usize)) as u32);
      found += 4;
      bits &= bits - 1;
    }
  }
  // A string that is not closed ends where nothing follows.
  store<u64>(found, (end as u64) | ((end as u64) << 32));
  return true;
}

/** Which of the 64 bytes are `byte`. */
function bitsOf(a: v128, b: v128, c: v128, d: v128, byte: u32): u64 {
  const wanted = i8x16.splat(byte as i8);
  return (
    (i8x16.bitmask(i8x16.eq(a, wanted)) as u64) |
    ((i8x16.bitmask(i8x16.eq(b, wanted)) as u64) << 16) |
    ((i8x16.bitmask(i8x16.eq(c, wanted)) as u64) << 32) |
    ((i8x16.bitmask(i8x16.eq(d, wanted)) as u64) << 48)
  );
}

/** Whether each of the bytes behind a backslash may stand there. */
function areEscapes(at: usize, escaped: u64): bool {
  let bits = escaped;
  while (bits !== 0) {
    const place = at + (ctz(bits) as usize);
    bits &= bits - 1;
    const byte: u32 = load<u8>(place);
    if (byte === 0x75) {
      if (!isHexQuad(place + 1)) return false;
    } else if (!isShortEscape(byte)) return false;
  }
  return true;
}

/** One of `n " \ / b f r t`. */
function isShortEscape(byte: u32): bool {
  return (
    byte === 0x6e ||
    byte === QUOTE ||
    byte === BACKSLASH ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x72 ||
    byte === 0x74
  );
}

/** Whether four hexadecimal digits stand there. Surrogates may be halves: they are not plain. */
function isHexQuad(at: usize): bool {
  for (let digit: usize = 0; digit < 4; digit += 1) {
    const byte: u32 = load<u8>(at + digit);
    if (!isDigit(byte) && (byte | 0x20) - 0x61 > 5) return false;
  }
  if ((load<u8>(at) | 0x20) === 0x64 && load<u8>(at + 1) > 0x37) isPlain = false;
  return true;
}

function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

function skipSpace(from: usize): usize {
  let at = from;
  while (isSpace(load<u8>(at))) at += 1;
  return at;
}

function isSpace(byte: u32): bool {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

function readValue(at: usize, node: usize, depth: i32): usize {
  const byte: u32 = load<u8>(at);
  if (byte === QUOTE) return readString(at, node);
  if (byte === OPEN_BRACE) return readObject(at, node, depth);
  if (byte === OPEN_BRACKET) return readArray(at, node, depth);
  if (byte === 0x74) return readLiteral(at, 0x65757274, 4, node, BOOLEAN);
  if (byte === 0x66) return readLiteral(at + 1, 0x65736c61, 4, node, BOOLEAN);
  if (byte === 0x6e) return readLiteral(at, 0x6c6c756e, 4, node, NULL);
  return readNumber(at, node);
}

function expectType(node: usize, type: u64): void {
  if (node !== ANY && (load<u64>(node + NODE_TYPES) & type) === 0) isPlain = false;
}

function readLiteral(at: usize, letters: u32, size: usize, node: usize, type: u64): usize {
  expectType(node, type);
  return load<u32>(at) === letters ? at + size : 0;
}

function readNumber(from: usize, node: usize): usize {
  expectType(node, NUMBER);
  let at = from;
  if (load<u8>(at) === 0x2d) at += 1;
  const start = at;
  at = skipDigits(at);
  if (at === start || (load<u8>(start) === 0x30 && at > start + 1)) return 0;
  if (at - start > SAFE_DIGITS) isPlain = false;
  if (load<u8>(at) === 0x2e) {
    const fraction = at + 1;
    at = skipDigits(fraction);
    if (at === fraction) return 0;
  }
  if ((load<u8>(at) | 0x20) === 0x65) {
    // What it is worth is not looked at.
    isPlain = false;
    at += 1;
    if (load<u8>(at) === 0x2b || load<u8>(at) === 0x2d) at += 1;
    const exponent = at;
    at = skipDigits(exponent);
    if (at === exponent) return 0;
  }
  return at;
}

function skipDigits(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}

function readString(at: usize, node: usize): usize {
  const close = closeString(at);
  if (close === 0 || node === ANY) return close;
  expectType(node, STRING);
  const constants = load<u64>(node + NODE_CONSTANTS) as usize;
  const role = load<u64>(node + NODE_ROLE);
  if (constants === 0 && role === 0) return close;
  const from = at + 1;
  const to = close - 1;
  const sum = hash(from, to);
  if (sum === 0) isPlain = false;
  if (constants !== 0) {
    const constant = findName(node + NODE_LISTS, constants, sum, from, to);
    if (constant === 0) isPlain = false;
    else if (role === KIND) kind = load<u64>(constant + NAME_USE);
  }
  if (role === NAME) isNamed = to > from;
  else if (role === ID) {
    idHash = sum;
    idStart = from;
    idEnd = to;
  }
  return close;
}

/** End of the string whose quote is the next. */
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

/** Address of the name among `count` of them; 0 when it is none. */
function findName(names: usize, count: usize, sum: u64, from: usize, to: usize): usize {
  for (let index: usize = 0; index < count; index += 1) {
    const name = names + index * NAME_SIZE;
    if (load<u64>(name) === sum && isName(name, from, to)) return name;
  }
  return 0;
}

function isName(name: usize, from: usize, to: usize): bool {
  const text = load<u64>(name + NAME_TEXT) as usize;
  return areEqual(from, to, text, text + (load<u64>(name + NAME_LENGTH) as usize));
}

function areEqual(from: usize, to: usize, otherFrom: usize, otherTo: usize): bool {
  if (to - from !== otherTo - otherFrom) return false;
  for (let offset: usize = 0; offset < to - from; offset += 8) {
    if (wordAt(from + offset, to) !== wordAt(otherFrom + offset, otherTo)) return false;
  }
  return true;
}

function enter(depth: i32): bool {
  if (depth > PLAIN_DEPTH) isPlain = false;
  return depth <= MAX_DEPTH;
}

function readArray(from: usize, node: usize, depth: i32): usize {
  if (!enter(depth)) return 0;
  expectType(node, ARRAY);
  const items = node === ANY ? ANY : (load<u64>(node + NODE_ITEMS) as usize);
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_BRACKET) return at + 1;
  while (true) {
    if (items !== ANY) beginElement();
    at = readValue(at, items, depth + 1);
    if (at === 0) return 0;
    if (items !== ANY && !isPaired()) isPlain = false;
    at = skipSpace(at);
    const byte: u32 = load<u8>(at);
    if (byte === CLOSE_BRACKET) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function beginElement(): void {
  kind = 0;
  isNamed = false;
  idStart = 0;
  idEnd = 0;
}

/** Whether the element has a name, and is a call with an id that waits for an answer now, or the answer to such. */
function isPaired(): bool {
  if (!isNamed || idStart === idEnd) return false;
  let waiting = WAITING;
  while (waiting < nextWaiting && !isWaiting(waiting)) waiting += WAITING_SIZE;
  if (kind === ANSWER) {
    if (waiting === nextWaiting) return false;
    nextWaiting -= WAITING_SIZE;
    memory.copy(waiting, nextWaiting, WAITING_SIZE);
    return true;
  }
  if (kind !== CALL || waiting !== nextWaiting || waiting + WAITING_SIZE > INPUT) return false;
  store<u64>(waiting, idHash);
  store<u64>(waiting, idStart as u64, 8);
  store<u64>(waiting, idEnd as u64, 16);
  nextWaiting += WAITING_SIZE;
  return true;
}

function isWaiting(waiting: usize): bool {
  if (load<u64>(waiting) !== idHash) return false;
  const start = load<u64>(waiting, 8) as usize;
  return areEqual(idStart, idEnd, start, load<u64>(waiting, 16) as usize);
}

function readObject(from: usize, node: usize, depth: i32): usize {
  if (!enter(depth)) return 0;
  expectType(node, OBJECT);
  const ownKeys = nextKey;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_BRACE) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    at = closeString(at);
    if (at === 0) return 0;
    const sum = hash(key, at - 1);
    if (!addKey(ownKeys, sum)) isPlain = false;
    const member = node === ANY ? ANY : findMember(node, sum, key, at - 1);
    at = skipSpace(at);
    if (load<u8>(at) !== COLON) return 0;
    const value = skipSpace(at + 1);
    at = readValue(value, member, depth + 1);
    if (at === 0) return 0;
    if (node === TABLE) {
      // Which key it is, nobody can say.
      if (sum === 0) return 0;
      if (member !== ANY) {
        cutStart = value;
        cutEnd = at;
      }
    }
    at = skipSpace(at);
    const byte: u32 = load<u8>(at);
    if (byte === CLOSE_BRACE) {
      nextKey = ownKeys;
      return at + 1;
    }
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function findMember(node: usize, sum: u64, from: usize, to: usize): usize {
  const members = node + NODE_LISTS + (load<u64>(node + NODE_CONSTANTS) as usize) * NAME_SIZE;
  const found = findName(members, load<u64>(node + NODE_MEMBERS) as usize, sum, from, to);
  return found === 0 ? ANY : (load<u64>(found + NAME_USE) as usize);
}

/** Whether the key is none of the object's keys before it, as far as that can be told. */
function addKey(ownKeys: usize, sum: u64): bool {
  for (let key = ownKeys; key < nextKey; key += 8) {
    if (load<u64>(key) === sum) return false;
  }
  if (nextKey === WAITING) return false;
  store<u64>(nextKey, sum);
  nextKey += 8;
  return sum !== 0;
}
