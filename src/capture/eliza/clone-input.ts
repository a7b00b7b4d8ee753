import { types } from "node:util";

/**
 * A copy of an input of an action, so that one branch does not see what another does to it: plain objects,
 * lists, maps, sets and dates are copied as deep as they go, and what they share stays shared. All else is
 * passed as it is: functions, instances of classes, and what cannot be read.
 */
export function cloneInput<T>(value: T): T;
export function cloneInput(value: unknown): unknown {
  return cloneValue(value, new Map());
}

type Copies = Map<unknown, unknown>;

function cloneValue(value: unknown, copies: Copies): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  try {
    return cloneObject(value, copies);
  } catch {
    copies.set(value, value);
    return value;
  }
}

function cloneObject(value: object, copies: Copies): unknown {
  const prototype = Reflect.getPrototypeOf(value);
  if (Array.isArray(value) && prototype === Array.prototype) return copyFields(value, [], copies);
  if (prototype === Object.prototype || prototype === null) {
    return copyFields(value, Object.create(prototype), copies);
  }
  if (types.isDate(value)) return remember(value, new Date(value), copies);
  if (types.isMap(value) && prototype === Map.prototype) {
    const map = remember(value, new Map<unknown, unknown>(), copies);
    for (const [key, each] of value) map.set(cloneValue(key, copies), cloneValue(each, copies));
    return map;
  }
  if (types.isSet(value) && prototype === Set.prototype) {
    const set = remember(value, new Set<unknown>(), copies);
    for (const each of value) set.add(cloneValue(each, copies));
    return set;
  }
  return value;
}

function remember<C>(value: object, copy: C, copies: Copies): C {
  copies.set(value, copy);
  return copy;
}

function copyFields(from: object, to: object, copies: Copies): object {
  copies.set(from, to);
  for (const key of Reflect.ownKeys(from)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(from, key);
    if (descriptor === undefined) continue;
    const value = cloneValue(Reflect.get(from, key), copies);
    const isLength = Array.isArray(to) && key === "length";
    // A branch may change its copy, also of what was frozen.
    const free = { enumerable: descriptor.enumerable, writable: true, configurable: true };
    Object.defineProperty(to, key, isLength ? { value } : { ...free, value });
  }
  return to;
}
