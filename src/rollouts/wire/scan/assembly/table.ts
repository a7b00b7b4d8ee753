import { areEqual, countCharacters } from "./bytes";

/** The node of the line's object, and the table's address. */
export const TABLE: usize = 1024;

// The table, as `../shape-table.ts` writes it. A node consists of 64-bit words at these offsets, followed by
// its constants and then its members.
export const NODE_TYPES: usize = 0;
export const NODE_ROLE: usize = 8;
export const NODE_ITEMS: usize = 16;
export const NODE_CONSTANTS: usize = 24;
export const NODE_MEMBERS: usize = 32;
/** A bit for each required member, in their order. */
export const NODE_REQUIRED: usize = 40;
/** Bounds of a number, as 64-bit floats. */
export const NODE_MINIMUM: usize = 48;
export const NODE_MAXIMUM: usize = 56;
/** 1 if a string or an array must not be empty. */
export const NODE_NOT_EMPTY: usize = 64;
export const NODE_ENTRIES: usize = 72;
// An entry is a constant or a member: the hash of its text, the text's address and length, and a value. The
// value is the element's kind for a constant, and the node for a member.
export const ENTRY_TEXT: usize = 8;
export const ENTRY_LENGTH: usize = 16;
export const ENTRY_USE: usize = 24;
export const ENTRY_SIZE: usize = 32;

/** The node that accepts any value. */
export const ANY: usize = 0;

// Bits of NODE_TYPES, in the order of SHAPE_TYPES in `src/base/json/value.ts`.
export const STRING_TYPE: u64 = 1;
export const NUMBER_TYPE: u64 = 2;
export const BOOLEAN_TYPE: u64 = 4;
export const NULL_TYPE: u64 = 8;
export const OBJECT_TYPE: u64 = 16;
export const ARRAY_TYPE: u64 = 32;
/** A number that is written without point and exponent has both types. */
export const INTEGER_TYPE: u64 = 64;

// NODE_ROLE: what a string says about its element, or the list of those elements.
export const KIND_ROLE: u64 = 1;
export const NAME_ROLE: u64 = 2;
export const ID_ROLE: u64 = 3;
export const LIST_ROLE: u64 = 4;

/** Returns the address of the entry with the given text among `count` entries; 0 if there is none. */
export function findEntry(entries: usize, count: u64, sum: u64, from: usize, to: usize): usize {
  for (let entry = entries; entry < entries + (count as usize) * ENTRY_SIZE; entry += ENTRY_SIZE) {
    if (load<u64>(entry) !== sum) continue;
    const text = load<u64>(entry + ENTRY_TEXT) as usize;
    if (areEqual(from, to, text, text + (load<u64>(entry + ENTRY_LENGTH) as usize))) return entry;
  }
  return 0;
}

/** The entry of a member; 0 if there is none. */
export function findMember(node: usize, sum: u64, from: usize, to: usize): usize {
  return findEntry(membersOf(node), load<u64>(node + NODE_MEMBERS), sum, from, to);
}

export function membersOf(node: usize): usize {
  return node + NODE_ENTRIES + (load<u64>(node + NODE_CONSTANTS) as usize) * ENTRY_SIZE;
}

/** Tells whether an escaped key could be a described member of the line's object: it has as many characters. */
export function mayBeMember(from: usize, to: usize): bool {
  const count = countCharacters(from, to) as u64;
  const members = membersOf(TABLE);
  const limit = members + (load<u64>(TABLE + NODE_MEMBERS) as usize) * ENTRY_SIZE;
  for (let entry = members; entry < limit; entry += ENTRY_SIZE) {
    if (load<u64>(entry + ENTRY_LENGTH) === count) return true;
  }
  return false;
}
