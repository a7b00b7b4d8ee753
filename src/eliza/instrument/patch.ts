import { readField } from "../../capture/snapshot.js";

/**
 * Stands for `original` with `replacement` as its method `key`; the original is not touched. All else is
 * read from the original and written to it at the moment when it is asked for, so that the view may be
 * copied, spread and changed as the original may. Methods of its class run on the original, which alone
 * has their private fields.
 */
export function createView(original: object, key: string, replacement: Handler): object {
  let current: unknown = replacement;
  const methods = new WeakMap<Handler, Handler>();
  const read = (name: PropertyKey): unknown => {
    if (name === key) return current;
    const value: unknown = Reflect.get(original, name, original);
    const isOfClass = isHandler(value) && name !== "constructor" && !Object.hasOwn(original, name);
    return isOfClass ? toMethod(value) : value;
  };
  const toMethod = (method: Handler): Handler => {
    const known = methods.get(method);
    if (known !== undefined) return known;
    const made: Handler = function (...args) {
      return Reflect.apply(method, this === view ? original : this, args);
    };
    methods.set(method, made);
    return made;
  };
  // Not the original, which may be frozen: of a frozen object a proxy must not show other values.
  const view: object = new Proxy(createShadow(original), {
    get: (_, name) => read(name),
    set(_, name, value) {
      if (name !== key) return Reflect.set(original, name, value, original);
      current = value;
      return true;
    },
    has: (_, name) => Reflect.has(original, name),
    ownKeys: () => Reflect.ownKeys(original),
    getOwnPropertyDescriptor(_, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(original, name);
      if (descriptor === undefined) return undefined;
      const { enumerable = false } = descriptor;
      return { value: read(name), enumerable, writable: true, configurable: true };
    },
    defineProperty(_, name, descriptor) {
      if (name !== key) return Reflect.defineProperty(original, name, descriptor);
      current = descriptor.get === undefined ? descriptor.value : descriptor.get.call(view);
      return true;
    },
    deleteProperty: (_, name) => Reflect.deleteProperty(original, name),
  });
  return view;
}

/** What a debugger shows of the view; no read of the view reaches it. */
function createShadow(original: object): object {
  try {
    const shadow = Object.create(Reflect.getPrototypeOf(original));
    for (const name of Reflect.ownKeys(original)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(original, name);
      Object.defineProperty(shadow, name, { ...descriptor, configurable: true });
    }
    return shadow;
  } catch {
    // A proxy may refuse to tell.
    return {};
  }
}

/**
 * Puts a method of ours, which is made of the original, on an object; false when the object does not let
 * us. Nothing is done where there is no such method, or where it is ours already.
 */
export function replaceMethod(
  object: object,
  name: string,
  create: (original: Handler) => Handler,
): boolean {
  const original = readField(object, name);
  if (!isHandler(original) || isMarked(original)) return true;
  return Reflect.defineProperty(object, name, {
    value: mark(create(original)),
    writable: true,
    configurable: true,
    enumerable: Object.prototype.propertyIsEnumerable.call(object, name),
  });
}

/**
 * Passes all that a property of `object` holds, now or later, through `convert`; false when the object does
 * not let us.
 */
export function watchProperty(
  object: object,
  name: string,
  convert: (value: unknown) => unknown,
): boolean {
  const descriptor = findDescriptor(object, name);
  const shown = { configurable: true, enumerable: descriptor?.enumerable ?? true };
  if (descriptor?.get !== undefined) {
    const { get, set } = descriptor;
    return Reflect.defineProperty(object, name, {
      ...shown,
      get: () => convert(Reflect.apply(get, object, [])),
      set: set && ((value) => Reflect.apply(set, object, [value])),
    });
  }
  let current = convert(descriptor?.value);
  return Reflect.defineProperty(object, name, {
    ...shown,
    get: () => current,
    set: (value) => {
      current = convert(value);
    },
  });
}

function findDescriptor(object: object, name: string): PropertyDescriptor | undefined {
  for (let owner: object | null = object; owner !== null; owner = Reflect.getPrototypeOf(owner)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(owner, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

/** Of the process and not of this file, so that two copies of the package know each other's. */
const MARK = Symbol.for("rollout-wire.eliza.captured");

/**
 * Marks a function of ours. The mark is on the function, and not on the action that has it: a runtime may
 * copy actions when it registers them, and the copy has the function too.
 */
export function mark(handler: Handler): Handler {
  return Object.defineProperty(handler, MARK, { value: true });
}

export function isMarked(value: unknown): boolean {
  return typeof value === "function" && Object.hasOwn(value, MARK);
}

/** A method of the runtime's, of an action's or of a service's, of whose arguments nothing is assumed. */
export type Handler = (this: unknown, ...args: unknown[]) => unknown;

export function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

/** Whether awaiting `value` is more than taking it. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = typeof value === "object" || typeof value === "function";
  return isObject && typeof readField(value, "then") === "function";
}
