import type { RegisteredSchema } from "#generated/index.js";

/** The repositories that have to move when a schema changes. */
export interface Movers {
  /** Those that only read its records: they move first, since nobody may write what nobody reads yet. */
  readonly readers: readonly string[];
  /** Those that write them. */
  readonly writers: readonly string[];
}

/** Who moves first when a schema changes, and who moves last. */
export function listMovers({
  consumers,
  producers,
}: Pick<RegisteredSchema, "consumers" | "producers">): Movers {
  return { readers: consumers.filter((name) => !producers.includes(name)), writers: producers };
}
