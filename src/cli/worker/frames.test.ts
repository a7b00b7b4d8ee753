import { PassThrough, Writable } from "node:stream";
import {
  array,
  asyncProperty,
  assert as checkProperty,
  constantFrom,
  integer,
  tuple,
  uint8Array,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../../base/testing/run-count.js";
import {
  encodeFrame,
  type Frame,
  type FrameType,
  FrameWriter,
  HEADER_BYTES,
  MAX_PAYLOAD,
  readFrames,
} from "./frames.js";

async function* toChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Uint8Array, size = Math.max(bytes.length, 1)): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(toChunks(bytes, size))) frames.push(frame);
  return frames;
}

const someType = constantFrom<FrameType>("job", "input", "end", "output", "file", "data", "exit");

describe("readFrames", () => {
  test("frames are read as they were written, however they are cut into chunks", async () => {
    const someFrames = array(tuple(someType, uint8Array({ maxLength: 40 })), { maxLength: 8 });
    await checkProperty(
      asyncProperty(someFrames, integer({ min: 1, max: 60 }), async (frames, size) => {
        const bytes = Buffer.concat(frames.map(([type, payload]) => encodeFrame(type, payload)));
        const read = await readAll(bytes, size);
        expect(read.map(({ type, payload }) => [type, Uint8Array.from(payload)])).toEqual(frames);
      }),
      { numRuns: runCount(2000) },
    );
  });

  test("any bytes are frames, or an error of one line with exit code 2", async () => {
    await checkProperty(
      asyncProperty(
        uint8Array({ maxLength: 60 }),
        integer({ min: 1, max: 9 }),
        async (junk, size) => {
          const whole = encodeFrame("input", Buffer.from("ok"));
          const bytes = Buffer.concat([whole, junk]);
          const failure = await readAll(bytes, size).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined) return;
          expect(failure).toMatchObject({ name: "UserError", exitCode: 2 });
          expect(String(failure)).toMatch(/^UserError: <stdin>: byte \d+: [^\n]+$/);
        },
      ),
      { numRuns: runCount(2000) },
    );
  });

  test.each([
    ["an unknown type", Buffer.from("A\0\0\0\0"), "<stdin>: byte 7: 0x41 is no type of a frame"],
    [
      "a payload that is too long",
      Buffer.from([0x49, 0, 0x10, 0, 1]),
      "<stdin>: byte 7: a frame of 1048577 bytes is longer than 1048576",
    ],
    [
      "a frame without its end",
      encodeFrame("input", Buffer.from("ab")).subarray(0, 6),
      "<stdin>: byte 7: a frame is cut off after 6 bytes",
    ],
  ])("%s is reported with its position", async (_, bytes, message) => {
    const before = encodeFrame("input", Buffer.from("ok"));
    await expect(readAll(Buffer.concat([before, bytes]))).rejects.toThrow(message);
  });

  test("the longest payload is read", async () => {
    const [frame] = await readAll(encodeFrame("data", new Uint8Array(MAX_PAYLOAD)), 65_536);
    expect(frame?.payload.length).toBe(MAX_PAYLOAD);
  });

  test("no more is read than the next frame needs", async () => {
    let taken = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 1;
        yield encodeFrame("input", Buffer.from("ab"));
      }
    }
    const frames = readFrames(counted());
    await frames.next();
    await frames.next();
    expect(taken).toBe(2);
  });
});

describe("FrameWriter", () => {
  test("long payloads are split", async () => {
    const stream = new PassThrough({ highWaterMark: 4 * MAX_PAYLOAD });
    await new FrameWriter(stream).send("data", new Uint8Array(MAX_PAYLOAD + 1));
    const frames = await readAll(stream.read());
    expect(frames.map(({ payload }) => payload.length)).toEqual([MAX_PAYLOAD, 1]);
  });

  test("an empty payload is one frame", async () => {
    const stream = new PassThrough();
    await new FrameWriter(stream).send("end", "");
    expect(stream.read()).toHaveLength(HEADER_BYTES);
  });

  test("a reader that does not read is waited for", async () => {
    const waiting: (() => void)[] = [];
    const slow = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
    const writer = new FrameWriter(slow);
    let sent = 0;
    const all = (async () => {
      for (; sent < 3; sent += 1) await writer.send("data", "x");
    })();
    await new Promise((resolve) => setImmediate(resolve));
    expect([sent, slow.writableLength]).toEqual([0, HEADER_BYTES + 1]);
    for (; sent < 3; await new Promise((resolve) => setImmediate(resolve))) waiting.shift()?.();
    await all;
  });

  test("a reader that has gone is an error", async () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    gone.on("error", () => {});
    await expect(new FrameWriter(gone).send("data", "x")).rejects.toThrow("EPIPE");
  });
});
