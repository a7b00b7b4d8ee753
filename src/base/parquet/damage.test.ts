import { expect, test } from "vitest";
import { countAttacks } from "../testing/attacks.js";
import { runCount } from "../testing/run-count.js";
import { EXIT, UserError } from "../user-error.js";
import { startDecoder } from "./decoder.js";
import { layouts } from "./testing/layouts.js";
import { ADVICE, FOREIGN } from "./testing/messages.js";
import { readLines } from "./testing/read-lines.js";

test("the layout of a file does not change its rows", async () => {
  const rows = new Map<string, string>();
  for (const [name, write] of Object.entries(layouts)) {
    const lines = await readLines(write());
    expect(lines).toHaveLength(40);
    const kind = name.startsWith("flat") ? "flat" : "nested";
    const text = lines.join("\n");
    expect([name, text]).toEqual([name, rows.get(kind) ?? text]);
    rows.set(kind, text);
  }
  expect(rows.get("flat")).toContain('"text":"täxt 2"');
  expect(rows.get("nested")).toContain('"inner":{"steps":[-9,');
});

/** A byte is damaged in ten ways: each bit of it, and two other values. */
function damage(bytes: Buffer, at: number, way: number): Buffer {
  const damaged = Buffer.from(bytes);
  const byte = bytes[at] ?? 0;
  damaged[at] = way < 8 ? byte ^ (1 << way) : byte ^ 0xff;
  return way === 9 ? damaged.fill(0xff, at, at + 1) : damaged;
}

// A loop without an end would be a run of the tests without one.
for (const [name, write] of Object.entries(layouts)) {
  test(`any damaged byte gives lines, or the error: ${name}`, async (context) => {
    const bytes = write();
    const count = runCount(2 * bytes.length, 100);
    const attacks = countAttacks(context, `damaged Parquet: ${name}`, count);
    let refused = 0;
    await attacks.attemptAll(count, async () => {
      for (let index = 0; index < count; index += 1) {
        const damaged = damage(bytes, Math.floor((index * bytes.length) / count), index % 10);
        const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
        if (Array.isArray(outcome)) continue;
        refused += 1;
        expect(outcome).toBeInstanceOf(UserError);
        expect(outcome).toMatchObject({ exitCode: EXIT.unreadable });
        expect(String(outcome)).toMatch(/file: cannot be read as Parquet: [^\n]+$/);
        expect(String(outcome)).toMatch(ADVICE);
        expect(String(outcome)).not.toMatch(FOREIGN);
      }
    });
    expect(refused).toBeGreaterThan(count / 10);
  });
}

test("a decoder that stops without a word is an error too, in a thread as without one", async () => {
  const bytes = layouts["flat, differences"]?.() ?? Buffer.alloc(0);
  const message =
    "file: cannot be read as Parquet: row group 1: it is damaged, or too large for the memory: copy the file again, or write it again";
  const findStop = async (): Promise<Buffer> => {
    for (let at = 4; at < bytes.length; at += 1) {
      const damaged = damage(bytes, at, 8);
      const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
      if (outcome instanceof UserError && outcome.message === message) return damaged;
    }
    throw new Error("the decoder names every damage");
  };
  await expect(readLines(await findStop(), startDecoder)).rejects.toThrow(message);
  // The next file has a decoder of its own.
  expect(await readLines(bytes, startDecoder)).toHaveLength(40);
});

test("files one after the other and at once have threads that do not mix their rows", async () => {
  const [small = Buffer.alloc(0), other = Buffer.alloc(0)] = [
    layouts["flat, plain"]?.(),
    layouts["nested, snappy"]?.(),
  ];
  const once = await readLines(small);
  for (let time = 0; time < 3; time += 1) {
    const both = [readLines(small, startDecoder), readLines(other, startDecoder)];
    expect(await Promise.all(both)).toEqual([once, await readLines(other)]);
  }
});
