import { expect } from "vitest";

/** As `expect`, of a value that becomes what it should be. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { interval: 5 });
}
