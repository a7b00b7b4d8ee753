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
