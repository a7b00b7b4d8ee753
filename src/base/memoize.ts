/** A function of one object that is called once for each; its result is kept as long as the object is. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = results.get(key) ?? { value: make(key) };
    results.set(key, known);
    return known.value;
  };
}
