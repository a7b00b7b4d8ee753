import type { FixtureCase } from "#generated/index.js";
import { findJsonDifferences } from "./differences.js";
import { pointerTokens, toPointerToken } from "./pointer.js";
import { isJsonObject } from "./value.js";

/** An edit of a JSON value: see `fixture#/$defs/FixtureCase`. */
export type Edit = Pick<FixtureCase, "remove" | "set">;

export interface EditFault {
  /** JSON Pointer into the edit. */
  readonly pointer: string;
  readonly message: string;
}

export interface EditedValue {
  readonly value: unknown;
  /** The parts of the edit that could not be applied, or change nothing. */
  readonly faults: readonly EditFault[];
}

/** Applies the removals, then the settings, each in order. Does not modify `value`. */
export function applyEdit(value: unknown, { remove = [], set = {} }: Edit): EditedValue {
  const faults: EditFault[] = [];
  let current = value;
  const change = (at: string, pointer: string, edit: PlaceEdit): void => {
    const changed = changeAt(current, pointer, edit);
    if (typeof changed === "string") faults.push({ pointer: at, message: changed });
    else current = changed.value;
  };
  for (const [index, pointer] of remove.entries()) {
    change(`/remove/${index}`, pointer, removeToken);
  }
  for (const [pointer, wanted] of Object.entries(set)) {
    change(`/set/${toPointerToken(pointer)}`, pointer, (parent, token) =>
      setToken(parent, token, wanted),
    );
  }
  return { value: current, faults };
}

/** A changed value, or why it cannot be changed this way. */
type Changed = { readonly value: unknown } | string;
/** Changes the member `token` of a value, or the value itself if the token is undefined. */
type PlaceEdit = (parent: unknown, token: string | undefined) => Changed;

const NOT_THERE = "names a missing value";
const IDLE = "changes nothing: the value is already equal";

function changeAt(root: unknown, pointer: string, edit: PlaceEdit): Changed {
  if (!/^(\/|$)/.test(pointer)) return `is not a JSON Pointer: write /${pointer}`;
  return changeBelow(root, pointerTokens(pointer), edit);
}

function changeBelow(root: unknown, path: readonly string[], edit: PlaceEdit): Changed {
  const [token, ...rest] = path;
  if (token === undefined || rest.length === 0) return edit(root, token);
  const member = memberOf(root, token);
  if (member === undefined) return NOT_THERE;
  const changed = changeBelow(member.value, rest, edit);
  return typeof changed === "string" ? changed : { value: withMember(root, token, changed.value) };
}

function memberOf(parent: unknown, token: string): { readonly value: unknown } | undefined {
  if (Array.isArray(parent)) {
    const index = toIndex(token);
    return index < parent.length ? { value: parent[index] } : undefined;
  }
  if (!isJsonObject(parent) || !Object.hasOwn(parent, token)) return undefined;
  return { value: parent[token] };
}

function withMember(parent: unknown, token: string, value: unknown): unknown {
  if (!Array.isArray(parent)) return { ...(isJsonObject(parent) ? parent : {}), [token]: value };
  return parent.toSpliced(toIndex(token), 1, value);
}

/** Infinity for a token that is not an index (RFC 6901, section 4). */
function toIndex(token: string): number {
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.POSITIVE_INFINITY;
}

function removeToken(parent: unknown, token: string | undefined): Changed {
  if (token === undefined || memberOf(parent, token) === undefined) return NOT_THERE;
  if (Array.isArray(parent)) return { value: parent.toSpliced(toIndex(token), 1) };
  const { [token]: _, ...rest } = isJsonObject(parent) ? parent : {};
  return { value: rest };
}

function setToken(parent: unknown, token: string | undefined, value: unknown): Changed {
  if (token === undefined) return isSame(parent, value) ? IDLE : { value };
  const member = memberOf(parent, token);
  if (member !== undefined && isSame(member.value, value)) return IDLE;
  const isPlace = Array.isArray(parent) ? toIndex(token) <= parent.length : isJsonObject(parent);
  return isPlace ? { value: withMember(parent, token, value) } : NOT_THERE;
}

function isSame(left: unknown, right: unknown): boolean {
  return findJsonDifferences(left, right).length === 0;
}
