import fc from "fast-check";

/** Throws whenever it is looked at. */
export function createRevokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function createCycle(): object {
  const cycle: Record<string, unknown> = { list: [] };
  cycle.self = cycle;
  cycle.list = [cycle, new Map([["again", cycle]])];
  return cycle;
}

function throwing(): never {
  throw new Error("nobody may read this");
}

/** Values that break careless code; each is made anew, so that mutating one does not reach another. */
const MAKERS: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => Symbol("odd"),
  () => throwing,
  () => 2n ** 64n,
  () => 1e20,
  () => Number.NaN,
  () => Number.NEGATIVE_INFINITY,
  () => -0,
  () => "\ud800 alone",
  () => ({ "\udfff": "\udc00" }),
  () => new Date(Number.NaN),
  () => new Map([[{}, 1n]]),
  () => new Set(["\udbff"]),
  () => Buffer.from([0xff, 0xfe]),
  () => new Float64Array([1.5, Number.NaN]),
  () => Object.freeze(new Error("frozen")),
  () => Object.create(null, { a: { value: 1, enumerable: true } }),
  () => JSON.parse('{"__proto__": {"constructor": 1}, "toString": null, "length": -1}'),
  () => ({ toJSON: throwing }),
  () => ({ toJSON: () => createCycle() }),
  () => Object.defineProperty({}, "a", { get: throwing, enumerable: true }),
  () => Object.defineProperty(new Error(), "message", { get: throwing }),
  () => ({ finalAnswer: "\udc00", buildResult: [], objectiveStatus: "maybe", steps: [1] }),
  () => Object.defineProperty({}, "finalAnswer", { get: throwing }),
  // biome-ignore lint/suspicious/noThenProperty: what an agent may well give.
  () => Object.defineProperty({}, "then", { get: throwing }),
  () => new Proxy({}, { ownKeys: throwing, getPrototypeOf: throwing }),
  createRevokedProxy,
  createCycle,
];

/** Makes anything that code may throw, return or record; a maker, because some break fast-check too. */
export const oddValue: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.constantFrom(...MAKERS),
  fc
    .anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      stringUnit: "binary",
    })
    .map((value) => () => value),
);

/** Makes anything, or an object with anything in some of its fields. */
export function oddObject(...keys: readonly string[]): fc.Arbitrary<() => unknown> {
  const fields = fc.dictionary(fc.constantFrom(...keys), oddValue);
  const object = fields.map(
    (makers) => () =>
      Object.fromEntries(Object.entries(makers).map(([key, make]) => [key, make()])),
  );
  return fc.oneof(oddValue, object);
}
