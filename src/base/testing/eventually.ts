import { expect } from "vitest";

/** As `expect`, of a value that becomes what it should be; only a hang takes as long as the limit. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 500_000, interval: 5 });
}
