/**
 * The results of `map`, in the order of the items, with up to `concurrency` of them under way. Items
 * are taken only as places become free. Throws what the first failing call throws; the calls that are
 * then under way are waited for.
 */
export async function* mapOrdered<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = map(item);
      // It is awaited below; until then its failure must not count as unhandled.
      result.catch(() => {});
      underWay.push(result);
      while (underWay.length >= concurrency) yield await take(underWay);
    }
    while (underWay.length > 0) yield await take(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

function take<Result>(queue: Promise<Result>[]): Promise<Result> {
  const first = queue.shift();
  if (first === undefined) throw new RangeError("nothing is under way");
  return first;
}
