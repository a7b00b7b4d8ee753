import { type Handler, isHandler } from "./handler.js";

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
