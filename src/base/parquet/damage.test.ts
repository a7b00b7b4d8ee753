import { expect, test } from "vitest";
import { countAttacks } from "../testing/attacks.js";
import { runCount } from "../testing/run-count.js";
import { EXIT, UserError } from "../user-error.js";
import { layouts } from "./testing/layouts.js";
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
    const count = runCount(2 * bytes.length, 300);
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
      }
    });
    expect(refused).toBeGreaterThan(count / 10);
  });
}
