import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf, someWindow, UNKNOWN_TOKEN } from "./some-window.js";

function windowsOf(tokens: Int32Array, width: number, start = 0, end = tokens.length) {
  const windows: { hash: number; start: number }[] = [];
  someWindow(tokens, { start, end, width }, (hash, at) => {
    windows.push({ hash, start: at });
    return false;
  });
  return windows;
}

describe("someWindow", () => {
  test("visits every window of known tokens with the hash of those tokens", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: UNKNOWN_TOKEN, max: 3 })),
        fc.integer({ min: 1, max: 6 }),
        (list, width) => {
          const tokens = Int32Array.from(list);
          const expected = list
            .map((_, start) => ({ start, window: list.slice(start, start + width) }))
            .filter(({ window }) => window.length === width && !window.includes(UNKNOWN_TOKEN))
            .map(({ start }) => ({ hash: hashOf(tokens, start, start + width), start }));
          expect(windowsOf(tokens, width)).toEqual(expected);
        },
      ),
    );
  });

  test("stays within start and end", () => {
    const starts = windowsOf(Int32Array.of(1, 2, 3, 4, 5, 6), 2, 1, 5).map(({ start }) => start);
    expect(starts).toEqual([1, 2, 3]);
  });

  test("ends when told, and says so", () => {
    const visited: number[] = [];
    const ended = someWindow(Int32Array.of(1, 2, 3), { start: 0, end: 3, width: 1 }, (_, at) => {
      visited.push(at);
      return at === 1;
    });
    expect({ ended, visited }).toEqual({ ended: true, visited: [0, 1] });
  });

  test("finds no window wider than the tokens, however wide", () => {
    expect(windowsOf(Int32Array.of(1, 2), 3)).toEqual([]);
    expect(windowsOf(Int32Array.of(1, 2), Number.MAX_SAFE_INTEGER)).toEqual([]);
  });
});
