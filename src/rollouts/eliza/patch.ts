import { readField } from "../capture/snapshot.js";

/**
 * A proxy of `original` with `replacement` as its method `key`; the original is not changed. Everything else is
 * read from and written to the original on access, so that the proxy can be copied, spread and changed like the
 * original. Methods of its class run on the original, because only that has their private fields.
 */
export function createProxy(original: object, key: string, replacement: Handler): object {
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
      return Reflect.apply(method, this === proxy ? original : this, args);
    };
    methods.set(method, made);
    return made;
  };
  // The target is not the original: for a frozen target, a proxy must not return other values.
  const proxy: object = new Proxy(createShadow(original), {
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
      current = descriptor.get === undefined ? descriptor.value : descriptor.get.call(proxy);
      return true;
    },
    deleteProperty: (_, name) => Reflect.deleteProperty(original, name),
  });
  return proxy;
}

/** The proxy's target: only debuggers show it, no read of the proxy reaches it. */
function createShadow(original: object): object {
  try {
    const shadow = Object.create(Reflect.getPrototypeOf(original));
    for (const name of Reflect.ownKeys(original)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(original, name);
      Object.defineProperty(shadow, name, { ...descriptor, configurable: true });
    }
    return shadow;
  } catch {
    // The original may be a proxy that throws.
    return {};
  }
}

/**
 * Replaces a method by one that `create` makes from it. Returns false if the object does not allow it. Does
 * nothing if there is no such method, or it is instrumented already.
 */
export function replaceMethod(
  object: object,
  name: string,
  create: (original: Handler) => Handler,
): boolean {
  const original = readField(object, name);
  if (!isHandler(original) || isInstrumentedMethod(original)) return true;
  return Reflect.defineProperty(object, name, {
    value: markInstrumented(create(original)),
    writable: true,
    configurable: true,
    enumerable: Object.prototype.propertyIsEnumerable.call(object, name),
  });
}

/**
 * Passes every value of a property, now and later, through `convert`. Returns false if the object does not allow
 * it.
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

/** A global symbol, so that two copies of the package recognise each other's methods. */
const MARK = Symbol.for("rollout-wire.eliza.captured");

/**
 * Marks a function of the plugin. The mark is on the function, not on its action: a runtime may copy actions
 * when it registers them, and the copy keeps the function.
 */
export function markInstrumented(handler: Handler): Handler {
  return Object.defineProperty(handler, MARK, { value: true });
}

export function isInstrumentedMethod(value: unknown): boolean {
  return typeof value === "function" && Object.hasOwn(value, MARK);
}

/** A method of a runtime, an action or a service. Nothing is assumed about its arguments. */
export type Handler = (this: unknown, ...args: unknown[]) => unknown;

export function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

/** Whether `value` is a promise, or anything else with `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = typeof value === "object" || typeof value === "function";
  return isObject && typeof readField(value, "then") === "function";
}
